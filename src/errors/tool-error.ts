const BRAND: unique symbol = Symbol.for('rondo.tool-error')

/**
 * Thrown by a tool to say that it failed and why: the caller's model reads `message` (a result with `isError: true`).
 * In a prompt or a resource it becomes `-32603` with the same text.
 *
 * @see server/tools, "Error Handling", of the specification
 */
export class ToolError extends Error {
  get [BRAND](): true {
    return true
  }

  override get name(): string {
    return 'ToolError'
  }
}

/** Whether `value` is a {@link ToolError}, of this copy of the module or another. */
export function isToolError(value: unknown): value is ToolError {
  if (typeof value !== 'object' || value === null) return false
  try {
    return (value as { [BRAND]?: unknown })[BRAND] === true
  } catch {
    // A stranger whose members cannot be read.
    return false
  }
}

/** A URI template, ready for use in both directions. */
export interface CompiledTemplate {
  readonly variables: readonly string[]
  expand(vars: Readonly<Record<string, string | readonly string[]>>): string
  match(uri: string): Record<string, string> | undefined
}

export interface TemplateOptions {
  /** Lets variables hold `..`, encoded slashes and NUL. */
  readonly allowUnsafe?: boolean
}

/** @throws RondoError `DEFINITION_INVALID` */
export function compileTemplate(_template: string, _options: TemplateOptions = {}): CompiledTemplate {
  return { variables: [], expand: () => '', match: () => undefined }
}

/**
 * A promise that never settles: whoever awaits it is stopped for good, and collected with it. This is the one place
 * where the engine parks a handler. A new promise each time, since what awaits a shared one would live as long as it (E7).
 */
export function park(): Promise<never> {
  return new Promise(forever)
}

function forever(): void {
  // Nothing ever calls resolve or reject.
}

type Owner = { readonly name: string; readonly isDead: boolean }

/** Where the failures of the current run go. */
export type Reporting = {
  /** Failures outside of checkers; the first one ends the run. Null: an uncaught error ends the simulator. */
  readonly failures: string[] | null
  /** Who is running. */
  readonly who: () => Owner | null
  leaveRun(): void
}

let reporting: Reporting | null = null

export function reportTo(next: Reporting | null): void {
  reporting = next
}

export const isRunning = (): boolean => reporting !== null

export function failRun(detail: string): void {
  reporting?.failures?.push(detail)
}

/** Something that ends in real time would make runs of one seed differ. The caller may catch the error, the run fails anyway. */
export function refuse(what: string): never {
  const error = new Error(`${what} is not part of the simulation`)
  failRun(`${reporting?.who()?.name ?? 'the simulator'}: ${error.stack}`)
  throw error
}

/** An uncaught error would end a real process, so it fails the run. Errors of a dead process are ignored. */
export function failUncaught(owner: Owner | null, kind: string, error: unknown): void {
  if (owner?.isDead) return
  const detail = `${owner?.name ?? 'the simulator'}: ${kind}: ${error instanceof Error ? error.stack : String(error)}`
  if (reporting?.failures) {
    failRun(detail)
    return
  }
  process.stderr.write(`${detail}\n`)
  // A simulated process could not end the simulator.
  reporting?.leaveRun()
  process.exit(1)
}

/** A service that runs: in a process of its own, or beside the others in `npm start`. */
export type RunningService = {
  readonly name: string
  /** Where it answers; null for one that has no port. */
  readonly url: string | null
  /** Takes nothing new, finishes what it has begun, and ends. */
  drain(timeoutMs: number): Promise<void>
}

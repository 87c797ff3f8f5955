/** A running service, in its own process or with the others in `npm start`. */
export type RunningService = {
  readonly name: string
  /** Its address; null for a service without a port. */
  readonly url: string | null
  /** Accepts no new work, finishes the running work, and stops. */
  drain(timeoutMs: number): Promise<void>
  /** Loads code that is not needed to be ready, before a caller has to wait for it. */
  loadRest?(): Promise<unknown>
}

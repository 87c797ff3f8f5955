/** The response that a caller waits for. A caller that disconnects destroys it. */
export type Caller = {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  removeListener(event: 'close', listener: () => void): unknown
}

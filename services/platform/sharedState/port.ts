export type WindowState = {
  /** Counted in the current window, this request included. */
  readonly used: number
  readonly resetAtMs: number
}

/**
 * Counters over fixed minutes, shared by all gateways that must hold one limit together.
 * `test/contract/rateLimits.ts` says what each adapter promises.
 */
export interface RateLimits {
  /** Counts the points and answers what the window holds now. */
  add(bucket: string, points: number): Promise<WindowState>
  /** Answers without counting. */
  read(bucket: string): Promise<WindowState>
}

import type { DependencyHealth } from '../dependencyHealth.ts'
import type { CompanyChanges } from './companyChanges/port.ts'
import type { HoldTable } from './holds/port.ts'
import type { LogEntry } from './logEntry.ts'

/** The interval of the heartbeats by which processes detect each other and outages of the engine. */
export const SHARED_STATE_BEAT_MS = 1_000

export type WindowState = {
  /** The count of the current window, including this request. */
  readonly used: number
  readonly resetAtMs: number
}

/**
 * Counters over fixed minutes, shared by all gateways that enforce a limit together.
 * `test/contract/rateLimits.ts` tests what all adapters guarantee.
 */
export interface RateLimits {
  /** Adds the points and returns the state of the window, synchronously if no engine is involved. */
  add(bucket: string, points: number): WindowState | Promise<WindowState>
  /** Returns the state of the window without adding to it. */
  read(bucket: string): WindowState | Promise<WindowState>
}

export type LogDelivery = {
  readonly entry: LogEntry
  /** The number of entries that this reader missed before this one. */
  readonly lostBefore: number
}

/** Ends when closed. A slow reader loses the oldest entries, and `lostBefore` says how many. */
export type LogSubscription = AsyncIterableIterator<LogDelivery> & { close(): void }

/**
 * Delivers the log entries of all processes to readers. Nothing is stored: a reader gets entries starting about a
 * second after it subscribed. `test/contract/logFanOut.ts` tests what all adapters guarantee.
 */
export interface LogFanOut {
  /** While there are no readers, entries need not be created. */
  readonly hasReaders: boolean
  /** Never waits and never throws, because logging must not hold up the work that it reports. */
  publish(entry: LogEntry): void
  /** Throws if this process has too many readers. */
  subscribe(): LogSubscription
}

/** degraded: the engine does not answer, and each gateway enforces its share of every limit alone. */
export type SharedStateHealth = DependencyHealth & {
  /** The gateways that share the limits, as last seen. */
  readonly gateways: number
}

/** State that the processes of an installation share. Losing it loses no events. */
export type SharedState = {
  readonly rateLimits: RateLimits
  readonly holds: HoldTable
  readonly companyChanges: CompanyChanges
  readonly logFanOut: LogFanOut
  health(): SharedStateHealth
  close(): Promise<void>
}

import type { HoldTable } from './holds/port.ts'
import type { LogEntry } from './logEntry.ts'

/** How often a process asks for the shared state, and after how many questions without an answer it connects anew. */
export const SHARED_STATE_BEAT_MS = 1_000

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
  /** Counts the points and answers what the window holds now; at once where that needs no engine. */
  add(bucket: string, points: number): WindowState | Promise<WindowState>
  /** Answers without counting. */
  read(bucket: string): WindowState | Promise<WindowState>
}

export type LogDelivery = {
  readonly entry: LogEntry
  /** Entries that this reader has missed between the one before and this one. */
  readonly lostBefore: number
}

/** Ends when it is closed. Who reads too slowly loses the oldest entries and is told how many. */
export type LogSubscription = AsyncIterableIterator<LogDelivery> & { close(): void }

/**
 * What the services of all processes log, to whoever watches. Nothing is kept: a reader sees what is logged from about a
 * second after its subscription on. `test/contract/logFanOut.ts` says what each adapter promises.
 */
export interface LogFanOut {
  /** Whether anybody watches. While nobody does, an entry need not even be made. */
  readonly hasReaders: boolean
  /** Never waits and never throws: a log must not hold up what it tells of. */
  publish(entry: LogEntry): void
  /** Throws when there are too many readers in this process. */
  subscribe(): LogSubscription
}

export type SharedStateHealth = {
  /** degraded: the engine does not answer, and each gateway holds its part of every limit by itself. */
  readonly status: 'healthy' | 'degraded'
  /** Gateways that hold the limits together, or did when they were last seen. */
  readonly gateways: number
  readonly latency_ms: number | null
}

/** What the processes of an installation share besides its truth; losing it loses no truth. */
export type SharedState = {
  readonly rateLimits: RateLimits
  readonly holds: HoldTable
  readonly logFanOut: LogFanOut
  health(): SharedStateHealth
  close(): Promise<void>
}

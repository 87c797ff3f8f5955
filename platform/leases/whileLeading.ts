import type { Database } from '../../projections/runner/ports.ts'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import { LEASE_RENEWAL_MS, releaseLease, renewLease, takeLease } from './leases.ts'

export type LeadershipOptions = {
  readonly database: Pick<Database, 'query'>
  readonly clock: Clock
  /** The name of the lease. */
  readonly name: string
  /** Identifies this process for operators. */
  readonly holder: string
  readonly ttlMs: number
  readonly renewalMs?: number
  readonly onLeading?: (leads: boolean) => void
  /** Called with an error of the work or the database. Both are retried. */
  readonly onTrouble?: (error: unknown) => void
}

export type Leadership = {
  /** Increases with every leader. The leader's writes are checked against it, so that a replaced leader is detected. */
  readonly epoch: number
  /** Aborts when another process may hold the lease, or this process stops. */
  readonly signal: AbortSignal
}

/**
 * Does the work whenever it holds the lease, until the signal aborts. If the work fails, the lease is released, because
 * another process may succeed.
 */
export async function whileLeading(
  options: LeadershipOptions,
  work: (leadership: Leadership) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, name, holder, ttlMs, renewalMs = LEASE_RENEWAL_MS, onLeading, onTrouble } = options
  while (!signal.aborted) {
    const askedAt = clock.now()
    const epoch = await takeLease(database, name, holder, ttlMs).catch((error: unknown) => {
      onTrouble?.(error)
      return null
    })
    if (epoch !== null) {
      const lost = new AbortController()
      const renewing = keepLease(options, epoch, askedAt, lost)
      onLeading?.(true)
      try {
        await work({ epoch, signal: AbortSignal.any([signal, lost.signal]) })
      } catch (error) {
        onTrouble?.(error)
      }
      onLeading?.(false)
      lost.abort()
      const { lastRenewal } = await renewing
      // Waits for a running renewal, which would take the lease again. But an unresponsive database must not keep the
      // process from stopping: the lease expires.
      const released = lastRenewal.then(() => releaseLease(database, name, epoch)).catch(() => {})
      await settlesWithin(released, renewalMs, clock)
    }
    // Waiting processes poll twice as often as the holder renews, so that the work continues soon.
    await clock.delay(renewalMs / 2, signal)
  }
}

/**
 * Renews the lease until it is lost, and returns the last renewal, which may still be running. While the database does
 * not answer, the lease is ours until the last renewal expires.
 */
async function keepLease(
  { database, clock, name, ttlMs, renewalMs = LEASE_RENEWAL_MS, onTrouble }: LeadershipOptions,
  epoch: number,
  takenAt: number,
  lost: AbortController,
): Promise<{ readonly lastRenewal: Promise<unknown> }> {
  let until = takenAt + ttlMs
  let renewed: Promise<boolean | null> = Promise.resolve(null)
  while (!lost.signal.aborted) {
    await clock.delay(renewalMs, lost.signal)
    if (lost.signal.aborted) break
    const askedAt = clock.now()
    renewed = renewLease(database, name, epoch, ttlMs).catch((error: unknown) => {
      onTrouble?.(error)
      return null
    })
    const isAnswered = await settlesWithin(renewed, until - askedAt, clock, lost.signal)
    const isOurs = isAnswered ? await renewed : false
    if (isOurs) until = askedAt + ttlMs
    else if (isOurs === false || clock.now() >= until) lost.abort()
  }
  return { lastRenewal: renewed }
}

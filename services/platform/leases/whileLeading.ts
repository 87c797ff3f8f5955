import type { Database } from '../../../projections/runner/ports.ts'
import type { Clock } from '../clock/clock.ts'
import { LEASE_RENEWAL_MS, releaseLease, renewLease, takeLease } from './leases.ts'

export type LeadershipOptions = {
  readonly database: Pick<Database, 'query'>
  readonly clock: Clock
  /** What only one may do at a time. */
  readonly name: string
  /** Who asks: of use to the operator who reads the table. */
  readonly holder: string
  readonly ttlMs: number
  readonly renewalMs?: number
  readonly onLeading?: (leads: boolean) => void
  /** Told what the work or the database failed with; it goes on by itself. */
  readonly onTrouble?: (error: unknown) => void
}

export type Leadership = {
  /** Counts the leaders. Whatever the leader writes is compared with it, so that one who was replaced is found out. */
  readonly epoch: number
  /** Aborts when the lease may be somebody else's, or the process stops. */
  readonly signal: AbortSignal
}

/**
 * Does the work while it holds the lease, again and again, until the signal aborts. When the work fails the lease is
 * given back, because another process may be luckier.
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
      await renewing
      // A database that does not answer must not keep the process from stopping: the lease runs out by itself.
      await Promise.race([releaseLease(database, name, epoch).catch(() => {}), clock.delay(renewalMs)])
    }
    // Those who wait look twice as often as the holder is heard of, so that the work is soon taken up again.
    await clock.delay(renewalMs / 2, signal)
  }
}

/** Renews until it is lost. While the database does not answer, the lease is ours only as long as the last answer said. */
async function keepLease(
  { database, clock, name, ttlMs, renewalMs = LEASE_RENEWAL_MS, onTrouble }: LeadershipOptions,
  epoch: number,
  takenAt: number,
  lost: AbortController,
): Promise<void> {
  let until = takenAt + ttlMs
  while (!lost.signal.aborted) {
    await clock.delay(renewalMs, lost.signal)
    if (lost.signal.aborted) return
    const askedAt = clock.now()
    const renewed = renewLease(database, name, epoch, ttlMs).catch((error: unknown) => {
      onTrouble?.(error)
      return null
    })
    const timeIsUp = clock.delay(until - askedAt, lost.signal).then(() => false)
    const isOurs = await Promise.race([renewed, timeIsUp])
    if (isOurs) until = askedAt + ttlMs
    else if (isOurs === false || clock.now() >= until) lost.abort()
  }
}

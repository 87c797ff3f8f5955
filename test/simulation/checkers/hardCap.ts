import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { grouped, only, type StoredEvent, storedEvents } from './events.ts'
import { ledgerEvents, movementOf } from './folds/ledger.ts'

/** No call takes the balance of a company with a hard cap below zero. For worlds in which gateways admit the calls. */
export function hardCap({ pglite }: Simulation): Checker {
  return {
    invariant: 'no call takes a balance with a hard cap below zero',
    end: () => overdrawn(storedEvents(pglite)),
  }
}

/**
 * Only companies that had the cap all the time are checked, up to the first entry that takes credits without a call: a
 * refund or a correction may take what calls in flight were promised.
 */
export function overdrawn(events: readonly StoredEvent[]): string | null {
  const changed = new Set(only(events, 'HardCapChanged').map(({ data }) => data.companyId))
  const capped = only(events, 'CompanyRegistered').filter(({ data }) => data.hardCap && !changed.has(data.companyId))
  const ledgers = grouped(ledgerEvents(events), ({ data }) => data.companyId)
  for (const { data } of capped) {
    let balance = 0n
    for (const event of ledgers.get(data.companyId) ?? []) {
      const { delta } = movementOf(event)
      balance += delta
      if (delta < 0n && event.type !== 'CallCharged') break
      if (delta < 0n && balance < 0n) return `call ${event.id} takes company ${data.companyId} to ${balance} millionths`
    }
  }
  return null
}

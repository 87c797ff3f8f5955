import { randomUUID } from 'node:crypto'
import { streamName } from '../../contracts/streams.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { aCharge } from '../benchDatabase.ts'

/** Each has an append in every commit. */
const COMPANIES = Array.from({ length: 20 }, () => ({ companyId: randomUUID(), keyId: randomUUID() }))

/** Appends at least so many charges to the ledgers of twenty companies, and returns how many. */
export async function appendCharges(store: Pick<EventStore, 'append'>, events: number): Promise<number> {
  let appended = 0
  while (appended < events) {
    const appends = COMPANIES.map(({ companyId, keyId }) => {
      const charges = Array.from({ length: EVENTS_PER_APPEND_MAX }, (_, at) => aCharge(companyId, keyId, appended + at))
      appended += charges.length
      return store.append(streamName('ledger', companyId), 'any', charges)
    })
    await Promise.all(appends)
  }
  return appended
}

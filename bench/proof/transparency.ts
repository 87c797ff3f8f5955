import { randomUUID } from 'node:crypto'
import { streamName } from '../../contracts/streams.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import type { Pace } from '../benchCommand.ts'
import { aCharge, withBenchEngines } from '../benchDatabase.ts'
import type { Figure } from '../figure.ts'
import { benchReceipts } from './receipts.ts'
import { sealUntil } from './sealedTransparencyLog.ts'
import { benchSealing } from './sealing.ts'

/** Each has an append in every commit. */
const COMPANIES = Array.from({ length: 20 }, () => ({ companyId: randomUUID(), keyId: randomUUID() }))

const SEALED = 100_000
const ENTRIES = 1_000_000
const [SHORT_SEALED, SHORT_ENTRIES] = [10_000, 20_000]

/** Sealing, and receipts of a long log. */
export function benchTransparency(pace: Pace): Promise<Figure[]> {
  const { isShort } = pace
  return withBenchEngines(async (engines) => {
    const { database, store } = engines
    const sealed = await appendCharges(store, isShort ? SHORT_SEALED : SEALED)
    await database.query('vacuum analyze event_store.events')
    const figures = [await benchSealing(engines, sealed, pace)]
    const entries = sealed + (await appendCharges(store, (isShort ? SHORT_ENTRIES : ENTRIES) - sealed))
    process.stderr.write(`  sealing ${entries.toLocaleString('en')} entries\n`)
    await sealUntil(engines, { entries, signed: true })
    for (const table of ['event_store.events', 'ledger_log.entries', 'ledger_log.tiles']) {
      await database.query(`vacuum analyze ${table}`)
    }
    return [...figures, await benchReceipts(engines, entries)]
  })
}

/** Appends at least this many charges to the ledgers of twenty companies, and returns how many. */
async function appendCharges(store: Pick<EventStore, 'append'>, events: number): Promise<number> {
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

import { openDatabase } from '../../platform/postgres/database.ts'
import { printMeasured } from './measured.ts'

const PAGE_ROWS = 5_000
const EVENTS = `select position as key, stream, revision, event_id, type, data, metadata, recorded_at
  from event_store.events where position > $1 order by position limit ${PAGE_ROWS}`
const ENTRIES = `select index as key, entry, event_id, company_id, number, revision, recorded_at
  from ledger_log.entries where index > $1 order by index limit ${PAGE_ROWS}`

const database = openDatabase({ url: process.env.DATABASE_URL ?? '' })

/** The rows that an audit of the log reads, with plain statements. */
async function readAll(statement: string): Promise<void> {
  for (let after = '-1'; ; ) {
    const rows = await database.query<{ key: string }>(statement, [after])
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    after = last.key
  }
}

await printMeasured(async () => {
  await readAll(EVENTS)
  await readAll(ENTRIES)
})
await database.close()

import { streamName } from '../../contracts/streams.ts'
import { openDatabase } from '../../platform/postgres/database.ts'
import { printMeasured } from './measured.ts'

const PAGE_ROWS = 5_000
const EVENTS = `select position, stream, revision, event_id, type, data, metadata, recorded_at from event_store.events
  where stream_no = (select stream_no from event_store.streams where stream = $1) and revision > $2
  order by revision limit ${PAGE_ROWS}`
const TRANSACTIONS = `select * from read_models.credit_transactions where company_id = $1 and revision > $2
  order by revision limit ${PAGE_ROWS}`

const [companyId = ''] = process.argv.slice(2)
const database = openDatabase({ url: process.env.DATABASE_URL ?? '' })

/** The rows that an audit of the company reads, with plain statements. */
async function readAll(statement: string, key: string): Promise<void> {
  for (let after = '-1'; ; ) {
    const rows = await database.query<{ revision: string }>(statement, [key, after])
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    after = last.revision
  }
}

await printMeasured(async () => {
  await readAll(EVENTS, streamName('ledger', companyId))
  await readAll(TRANSACTIONS, companyId)
})
await database.close()

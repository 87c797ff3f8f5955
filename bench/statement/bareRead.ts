import { streamName } from '../../contracts/streams.ts'
import { printMeasured } from '../audit/measured.ts'
import { withBenchStore } from './benchStore.ts'

const PAGE_ROWS = 5_000
const EVENTS = `select position, stream, revision, event_id, type, data, metadata, recorded_at from event_store.events
  where stream_no = (select stream_no from event_store.streams where stream = $1) and revision > $2
  order by revision limit ${PAGE_ROWS}`

const [companyId = ''] = process.argv.slice(2)

/** The rows that a statement of the company reads, with plain statements. */
await withBenchStore(({ database }) =>
  printMeasured(async () => {
    for (let after = '-1'; ; ) {
      const rows = await database.query<{ revision: string }>(EVENTS, [streamName('ledger', companyId), after])
      const last = rows.at(-1)
      if (!last || rows.length < PAGE_ROWS) return
      after = last.revision
    }
  }),
)

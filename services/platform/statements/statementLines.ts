import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { streamName } from '../../../contracts/streams.ts'
import { type StatementLine, statementLine } from '../../../domain/statement/line.ts'
import { upcast } from '../commands/eventCodec.ts'
import { countedOnce } from './countedOnce.ts'
import type { Statement } from './statement.ts'

/** Entries that are read, and written, together. One page is read ahead while another one is written. */
export const PAGE_LINES = 1_000

/** An entry as a statement shows it, and as it is stored. */
export type StatementEntry = { readonly line: StatementLine; readonly stored: RecordedEvent }

/** The ledger does not have the entries that it had a moment ago. */
export class LedgerChanged extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LedgerChanged'
  }
}

type Source = Pick<Statement, 'engines' | 'range' | 'onEntries'>

/** The entries of the range in ledger order. Ending the iteration ends the reading. */
export async function* statementPages({ engines, range, onEntries }: Source): AsyncGenerator<StatementEntry[]> {
  const { database, storeAsWritten: store } = engines
  if (range.count === 0) return
  const events = store.readStream(streamName('ledger', range.companyId), { from: range.revision })
  let number = range.first
  let balanceMicros = range.openingMicros
  const end = range.first + range.count
  for await (const page of ahead(store.idsAreUnique ? events : countedOnce(database, range.companyId, events))) {
    const entries: StatementEntry[] = []
    for (const stored of page) {
      if (number === end) break
      const time = stored.metadata.recordedAt ?? stored.recordedAt
      const line = statementLine(upcast<'ledger'>(stored), { number, id: stored.id, time, balanceMicros })
      entries.push({ line, stored })
      number += 1
      balanceMicros = line.balanceMicros
    }
    yield entries
    onEntries?.(number - range.first)
    if (number === end) break
  }
  if (number !== end || balanceMicros !== range.closingMicros) {
    throw new LedgerChanged(
      `the ledger of company ${range.companyId} has ${number - range.first} entries from number ${range.first} on that end ` +
        `with ${balanceMicros}, and not ${range.count} that end with ${range.closingMicros}; run "npm run audit"`,
    )
  }
}

/** The items in pages, of which the next one is read while the caller works on one. */
async function* ahead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  const source = items[Symbol.asyncIterator]()
  const read = async (): Promise<Item[]> => {
    const page: Item[] = []
    while (page.length < PAGE_LINES) {
      const { done, value } = await source.next()
      if (done) break
      page.push(value)
    }
    return page
  }
  let next = read()
  try {
    for (;;) {
      const page = await next
      if (page.length === 0) return
      next = read()
      // The rejection is thrown when the page is awaited.
      next.catch(() => {})
      yield page
    }
  } finally {
    await next.catch(() => {})
    await source.return?.()
  }
}

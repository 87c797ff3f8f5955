import type { RecordedEvent } from '../../contracts/envelope.ts'
import { streamName } from '../../contracts/streams.ts'
import { type StatementLine, statementLine } from '../../domain/statement/line.ts'
import type { Engines } from '../../platform/engines.ts'
import { upcast } from '../../platform/eventStore/eventCodec.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { countedOnce } from './countedOnce.ts'
import type { LedgerBoundary } from './ledgerBoundary.ts'
import type { Statement } from './statement.ts'

/** How many entries are read and written together. One page is read ahead while another is written. */
export const PAGE_LINES = 1_000

/** An entry as a statement shows it, and as it is stored. */
export type StatementEntry = { readonly line: StatementLine; readonly stored: RecordedEvent }

/** The ledger no longer has the entries that it had a moment ago. */
export class LedgerChanged extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LedgerChanged'
  }
}

type Source = Pick<Statement, 'engines' | 'range' | 'onEntries'>

/** The entries of the range in ledger order. Ending the iteration stops reading. */
export async function* statementPages({ engines, range, onEntries }: Source): AsyncGenerator<StatementEntry[]> {
  const { companyId, first, count, openingMicros: balanceMicros, closingMicros, revision } = range
  let done = 0
  let closing = balanceMicros
  for await (const entries of entryPages(engines, companyId, { number: first, balanceMicros, revision }, count)) {
    yield entries
    done += entries.length
    closing = entries.at(-1)?.line.balanceMicros ?? closing
    onEntries?.(done)
  }
  if (done !== count || closing !== closingMicros) {
    throw new LedgerChanged(
      `the ledger of company ${companyId} has ${done} entries from number ${first} on that end with ${closing}, and not ` +
        `${count} that end with ${closingMicros}; run "npm run audit"`,
    )
  }
}

/** At most this many entries after a boundary. */
export async function* entryPages(
  { database, storeAsWritten: store }: Pick<Engines, 'database' | 'storeAsWritten'>,
  companyId: string,
  from: LedgerBoundary,
  count: number,
): AsyncGenerator<StatementEntry[]> {
  if (count === 0) return
  let { number, balanceMicros } = from
  const end = number + count
  const events = store.readStream(streamName('ledger', companyId), { from: from.revision, ...limitOf(store, count) })
  for await (const page of ahead(store.idsAreUnique ? events : countedOnce(database, companyId, events))) {
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
    if (number === end) return
  }
}

/** If the store may hold events twice, it is unknown how many must be read. */
const limitOf = ({ idsAreUnique }: Pick<EventStore, 'idsAreUnique'>, count: number): { readonly limit?: number } =>
  idsAreUnique ? { limit: count } : {}

/** The items in pages. The next page is read while the caller works on one. */
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

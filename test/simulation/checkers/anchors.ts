import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { startOfBook } from './callLedger.ts'
import { type EventNamed, grouped, only, type StoredEvent, storedEvents } from './events.ts'
import { canonical } from './log/entry.ts'

/** Its ledger has the price books of all companies, and nothing else: docs/auditors.md, "The price book of a charge". */
const COMMON_LEDGER = 'ledger-00000000-0000-4000-8000-000000000000'

/** The transparency log contains every ledger, so a book on a ledger is in the log. */
export function anchors({ pglite, counters }: Simulation): Checker {
  return {
    invariant: 'every price book is anchored once, in order, on the ledger of its company',
    end: () => {
      const events = storedEvents(pglite)
      for (const { data } of only(events, 'PriceBookAnchored')) {
        counters.hit(
          data.bookCompanyId === null ? 'a common price book is anchored' : 'a price book of a company is anchored',
        )
      }
      return anchorsWrong(events)
    },
  }
}

/** What is wrong once nothing is published any more. */
export function anchorsWrong(events: readonly StoredEvent[]): string | null {
  const published = grouped(only(events, 'PriceBookPublished'), ({ data }) => ledgerOf(data.companyId))
  const anchored = grouped(only(events, 'PriceBookAnchored'), ({ stream }) => stream)
  for (const ledger of new Set([...published.keys(), ...anchored.keys()])) {
    const books = published.get(ledger) ?? []
    const own = anchored.get(ledger) ?? []
    for (const [at, { data }] of own.entries()) {
      const book = books[at]
      if (book?.data.bookId !== data.bookId) {
        return `${ledger} has book ${data.bookId} as number ${at}, and not ${book?.data.bookId}`
      }
      const wrong = bookWrong(data, book)
      if (wrong !== null) return `book ${data.bookId} is anchored with another ${wrong}`
    }
    const missing = books[own.length]
    if (missing) return `book ${missing.data.bookId} is not on ${ledger}`
  }
  const other = events.find(({ stream, type }) => stream === COMMON_LEDGER && type !== 'PriceBookAnchored')
  return other ? `the ledger of common books has ${other.type} ${other.id}` : null
}

type Anchored = EventNamed<'PriceBookAnchored'>['data']

/** The name of a field that differs. A book that was stored late takes effect later than it says. */
function bookWrong(
  anchored: Anchored,
  { data: published, recordedAt }: EventNamed<'PriceBookPublished'>,
): string | null {
  if (anchored.bookCompanyId !== published.companyId) return 'company'
  if (anchored.effectiveFrom !== startOfBook(published, recordedAt)) return 'start'
  const names = ['prices', 'retired', 'replacesAll', 'publishedAt'] as const
  return names.find((name) => canonical(anchored[name]) !== canonical(published[name])) ?? null
}

function ledgerOf(companyId: string | null): string {
  return companyId === null ? COMMON_LEDGER : `ledger-${companyId}`
}

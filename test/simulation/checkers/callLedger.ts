import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { ChargeWithLines, Price } from './chargeLines.ts'

export type PublishedBook = {
  readonly bookId: string
  readonly companyId: string | null
  /** When it takes effect. */
  readonly effectiveFrom: string
  readonly prices: Readonly<Record<string, Price>>
  readonly retired: readonly string[]
}

/** A book that changes a price takes effect at least so long after it was published, and after it was stored. */
const AFTER_PUBLICATION_MS = 5_000
const AFTER_STORAGE_MS = 4_500

/** When a book takes effect, by docs/admins.md. One that begins earlier names only aliases without a price. */
export function startOfBook(
  { effectiveFrom, publishedAt }: { readonly effectiveFrom: string; readonly publishedAt: string },
  recordedAt: string,
): string {
  if (Date.parse(effectiveFrom) < Date.parse(publishedAt) + AFTER_PUBLICATION_MS) return effectiveFrom
  const knownMs = Date.parse(recordedAt) + AFTER_STORAGE_MS
  return Date.parse(effectiveFrom) < knownMs ? new Date(knownMs).toISOString() : effectiveFrom
}

/** The books of all prices, in the order in which they were published. */
export function booksIn(events: readonly RecordedEvent[]): PublishedBook[] {
  const books = new Map<string, PublishedBook>()
  for (const { type, data, recordedAt } of events) {
    if (type !== 'PriceBookPublished') continue
    const book = data as unknown as PublishedBook & { readonly publishedAt: string }
    if (books.has(book.bookId)) continue
    books.set(book.bookId, { ...book, effectiveFrom: startOfBook(book, recordedAt) })
  }
  return [...books.values()]
}

/** The price in force: that of the company itself before the common one; of several books, the one that began last. */
export function priceAt(
  books: readonly PublishedBook[],
  companyId: string,
  alias: string,
  at: string,
): { readonly bookId: string; readonly price: Price } | null {
  for (const whose of [companyId, null]) {
    let last: PublishedBook | null = null
    for (const book of books) {
      const isNamed = alias in book.prices || book.retired.includes(alias)
      if (book.companyId !== whose || !isNamed || book.effectiveFrom > at) continue
      if (last === null || book.effectiveFrom >= last.effectiveFrom) last = book
    }
    const price = last?.prices[alias]
    if (last && price) return { bookId: last.bookId, price }
  }
  return null
}

export type Charge = ChargeWithLines & {
  readonly companyId: string
  readonly callId: string
  readonly keyId: string
  readonly alias: string
  readonly admittedAt: string
  readonly price: { readonly bookId: string }
}

export type LedgerLine = { readonly event: RecordedEvent; readonly company: string; readonly changeMicros: bigint }

const SIGNS: Readonly<Record<string, bigint>> = {
  ...{ CreditsGranted: 1n, CallCharged: -1n, ChargeReversed: 1n, CreditsExpired: -1n, CreditsReinstated: 1n },
}

/** The events of all ledgers in their order, each id once: a store may hold one twice. */
export function ledgerLines(events: readonly RecordedEvent[]): LedgerLine[] {
  const seen = new Set<string>()
  const lines: LedgerLine[] = []
  for (const event of events) {
    if (!event.stream.startsWith('ledger-') || seen.has(`${event.stream} ${event.id}`)) continue
    seen.add(`${event.stream} ${event.id}`)
    const micros = BigInt((event.data as { amountMicros?: string }).amountMicros ?? 0)
    lines.push({
      event,
      company: event.stream.slice('ledger-'.length),
      changeMicros: (SIGNS[event.type] ?? 0n) * micros,
    })
  }
  return lines
}

/** How calls ended on the ledger. */
export type CallEnd = { charge: Charge | null; failures: number; reversals: number }

export function callEnds(lines: readonly LedgerLine[]): Map<string, CallEnd> {
  const ends = new Map<string, CallEnd>()
  for (const { event } of lines) {
    const { callId } = event.data as { callId?: string }
    if (callId === undefined) continue
    const end = ends.get(callId) ?? { charge: null, failures: 0, reversals: 0 }
    ends.set(callId, end)
    if (event.type === 'CallCharged') end.charge = event.data as unknown as Charge
    else if (event.type === 'CallFailed') end.failures += 1
    else if (event.type === 'ChargeReversed') end.reversals += 1
  }
  return ends
}

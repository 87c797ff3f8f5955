import type { InvoiceLine } from '../../../contracts/events/postpaid.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { type EventNamed, grouped, only, type StoredEvent, storedEvents } from './events.ts'
import { type LedgerEvent, ledgerEvents, movementOf } from './folds/ledger.ts'

/** Invoices of postpaid companies cover the ledger exactly once. */
export function invoices({ pglite }: Simulation): Checker {
  return {
    invariant: 'invoices cover the ledger exactly once',
    end: () => {
      const events = storedEvents(pglite)
      return monthsWrong(events) ?? draftsWrong(events)
    },
  }
}

/** Each entry of a ledger is in exactly one range, and each range costs what its entries add up to. */
export function monthsWrong(events: readonly StoredEvent[]): string | null {
  for (const [stream, ledger] of grouped(ledgerEvents(events), (event) => event.stream)) {
    const found = closesWrong(ledger) ?? settlementsWrong(ledger)
    if (found !== null) return `${stream}: ${found}`
  }
  return null
}

function closesWrong(ledger: readonly LedgerEvent[]): string | null {
  const closes = ledger.filter((event) => event.type === 'MonthClosed')
  const bills = ledger.filter((event) => event.type === 'MonthBilled')
  if (bills.length !== closes.length) return `${closes.length} months are closed and ${bills.length} billed`
  let after = -1
  let opening = 0n
  let month = ''
  for (const [at, close] of closes.entries()) {
    if (close.data.month <= month) return `${close.data.month} is closed after ${month}`
    month = close.data.month
    if (close.recordedAt.slice(0, 7) <= month) return `${month} was closed at ${close.recordedAt}`
    const bill = bills[at]
    if (!bill || bill.data.month !== month) return `${month} is not billed, or not in order`
    const range = ledger.filter(({ revision }) => revision > after && revision < close.revision)
    const found = billWrong(bill, { after, close, opening, range })
    if (found !== null) return `${month}: ${found}`
    after = close.revision
    opening = BigInt(bill.data.carriedMicros)
  }
  return null
}

type Range = {
  readonly after: number
  readonly close: EventNamed<'MonthClosed'>
  readonly opening: bigint
  readonly range: readonly LedgerEvent[]
}

function billWrong({ data }: EventNamed<'MonthBilled'>, { after, close, opening, range }: Range): string | null {
  if (data.afterRevision !== after || data.closeRevision !== close.revision) {
    return `the bill is for revisions after ${data.afterRevision} up to ${data.closeRevision}`
  }
  if (BigInt(data.openingMicros) !== opening) return `the range opens with ${data.openingMicros}, and not ${opening}`
  const owed = range
    .filter(({ type }) => type !== 'InvoiceSettled')
    .reduce((sum, event) => sum - movementOf(event).delta, -opening)
  const { price, currency, creditsPerPeriodMicros } = close.data.terms
  const minor = minorOf(price, currency)
  if (minor === null) return `amounts in ${currency} are not checked yet`
  // Half up.
  const [exact, per] = [2n * owed * minor + BigInt(creditsPerPeriodMicros), 2n * BigInt(creditsPerPeriodMicros)]
  const total = owed > 0n ? exact / per : 0n
  const isInvoiced = owed > 0n && (total > 0n || minor === 0n)
  const expected = {
    creditsMicros: String(isInvoiced ? owed : 0n),
    amountMinor: String(total),
    carriedMicros: String(isInvoiced ? 0n : -owed),
    currency,
  }
  for (const [name, value] of Object.entries(expected)) {
    const stated = data[name as keyof typeof expected]
    if (stated !== value) return `${name} is ${stated}, and not ${value}`
  }
  return linesWrong(data.lines, range, owed, total)
}

function linesWrong(
  lines: readonly InvoiceLine[],
  range: readonly LedgerEvent[],
  owed: bigint,
  total: bigint,
): string | null {
  const credits = lines.reduce((sum, line) => sum + BigInt(line.creditsMicros), 0n)
  if (credits !== owed) return `the lines add up to ${credits} millionths, and not ${owed}`
  const money = lines.reduce((sum, line) => sum + BigInt(line.amountMinor), 0n)
  if (money !== total) return `the lines add up to ${money}, and not ${total}`
  const calls = range.filter((event) => event.type === 'CallCharged' || event.type === 'ChargeReversed')
  const aliases = grouped(calls, ({ data }) => data.alias)
  const usage = lines.filter(({ kind }) => kind === 'USAGE')
  if (usage.length !== aliases.size) return `${usage.length} lines are about ${aliases.size} aliases`
  for (const line of usage) {
    const own = aliases.get(line.alias ?? '') ?? []
    const sign = (event: (typeof own)[number]) => (event.type === 'CallCharged' ? 1 : -1)
    const sums = {
      calls: own.reduce((sum, event) => sum + sign(event), 0),
      tokensIn: own.reduce((sum, event) => sum + sign(event) * event.data.tokensIn, 0),
      tokensOut: own.reduce((sum, event) => sum + sign(event) * event.data.tokensOut, 0),
      creditsMicros: String(own.reduce((sum, event) => sum - movementOf(event).delta, 0n)),
    }
    for (const [name, value] of Object.entries(sums)) {
      const stated = line[name as keyof typeof sums]
      if (stated !== value) return `the line of ${line.alias} has ${name} ${stated}, and not ${value}`
    }
  }
  return null
}

/** The price in the smallest unit; null for currencies whose amounts are rounded further. */
function minorOf(price: string, currency: string): bigint | null {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  if (digits > 2 || currency === 'isk' || currency === 'ugx') return null
  const [whole = '0', fraction = ''] = price.split('.')
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

/** An invoice is settled once, with what was invoiced. */
function settlementsWrong(ledger: readonly LedgerEvent[]): string | null {
  const settled = new Set<string>()
  for (const event of ledger) {
    if (event.type !== 'InvoiceSettled') continue
    const { month, amountMicros } = event.data
    if (settled.has(month)) return `${month} is settled twice`
    settled.add(month)
    const bill = ledger.find((one) => one.type === 'MonthBilled' && one.data.month === month) as
      | EventNamed<'MonthBilled'>
      | undefined
    if (bill?.data.creditsMicros !== amountMicros) return `${month} is settled with ${amountMicros} millionths`
  }
  return null
}

/** Every month that costs something has one invoice, of what was billed. */
export function draftsWrong(events: readonly StoredEvent[]): string | null {
  const drafts = grouped(only(events, 'UsageInvoiceDrafted'), ({ data }) => `${data.companyId} ${data.month}`)
  for (const { data } of only(events, 'MonthBilled')) {
    const name = `${data.companyId} ${data.month}`
    const own = drafts.get(name) ?? []
    drafts.delete(name)
    const expected = data.amountMinor === '0' ? 0 : 1
    if (own.length !== expected) return `${name} costs ${data.amountMinor} and has ${own.length} invoices`
    const [draft] = own
    if (!draft) continue
    if (draft.data.creditsMicros !== data.creditsMicros)
      return `the invoice of ${name} is for ${draft.data.creditsMicros}`
    if (JSON.stringify(draft.data.lines) !== JSON.stringify(data.lines)) return `the invoice of ${name} has other lines`
  }
  const [surplus] = drafts.keys()
  return surplus === undefined ? null : `${surplus} has an invoice and was not billed`
}

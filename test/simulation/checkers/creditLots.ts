import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { grouped, storedEvents } from './events.ts'
import { type LedgerEvent, ledgerEvents, movementOf } from './folds/ledger.ts'
import { expiriesWrong } from './lots/expiries.ts'
import type { Lot } from './lots/lot.ts'
import type { LotLedger } from './lots/lotLedger.ts'
import { LotsOfEvents } from './lots/lotsOfEvents.ts'

/** Its ledger has the price books of all companies, and it is no company. */
const COMMON_LEDGER = '00000000-0000-4000-8000-000000000000'

/** A row of `credit_lots.lots`. */
export type StoredLot = {
  readonly company: string
  readonly lot: string
  readonly priority: number
  readonly expiresMs: number | null
  readonly granted: bigint
  readonly spent: bigint
  readonly expired: bigint
  readonly owed: bigint
  readonly taken: bigint
  readonly left: bigint
}
export type StoredDebt = { readonly company: string; readonly revision: number; readonly debt: bigint }

/**
 * Lots are those that follow from the ledger: calls have burned them by priority, expiry and age, among those that were valid at
 * their admission. They add up to the balance, and expire once, in time and not before.
 */
export function creditLots({ pglite, counters }: Simulation): Checker {
  return {
    invariant: 'lots follow from the ledger, and none is used twice',
    end: () => {
      const events = ledgerEvents(storedEvents(pglite))
      for (const [what, times] of expiriesCounted(events)) if (times > 0) counters.hit(what, times)
      return lotsWrong(events, storedLots(pglite), storedDebts(pglite))
    },
  }
}

type Reading = Parameters<typeof rowsOf>[0]

function storedLots(pglite: Reading): StoredLot[] {
  return rowsOf(
    pglite,
    `select company_id, lot_id, priority, (extract(epoch from expires_at) * 1000)::bigint, granted_micros, spent_micros,
       expired_micros, owed_micros, refunded_micros + disputed_micros + corrected_micros, left_micros from credit_lots.lots`,
  ).map(([company, lot, priority, expires, ...amounts]): StoredLot => {
    const [granted, spent, expired, owed, taken, left] = amounts.map((amount) => BigInt(amount ?? 0)) as Six
    const terms = { priority: Number(priority), expiresMs: expires === null ? null : Number(expires) }
    return { company: String(company), lot: String(lot), ...terms, granted, spent, expired, owed, taken, left }
  })
}

type Six = [bigint, bigint, bigint, bigint, bigint, bigint]

function storedDebts(pglite: Reading): StoredDebt[] {
  return rowsOf(pglite, 'select company_id, revision, debt_micros from credit_lots.companies').map(
    ([company, revision, debt]) => ({
      ...{ company: String(company), revision: Number(revision), debt: BigInt(debt ?? 0) },
    }),
  )
}

export function lotsWrong(
  events: readonly LedgerEvent[],
  lots: readonly StoredLot[],
  debts: readonly StoredDebt[],
): string | null {
  for (const lot of lots) {
    const wrong = lotWrong(lot)
    if (wrong !== null) return `lot ${lot.lot} of ${lot.company} ${wrong}`
  }
  for (const [stream, own] of grouped(events, (event) => event.stream)) {
    const company = stream.slice('ledger-'.length)
    if (company === COMMON_LEDGER) continue
    const wrong = companyWrong(
      own,
      lots.filter((lot) => lot.company === company),
      debts.find((each) => each.company === company),
    )
    if (wrong !== null) return `${stream}: ${wrong}`
  }
  return null
}

function lotWrong({ granted, spent, expired, taken, left }: StoredLot): string | null {
  if (spent + expired > granted) return `was granted ${granted}, spent ${spent} and expired ${expired}`
  if (expired + taken > granted) return `was granted ${granted}, expired ${expired} and lost ${taken}`
  const rest = granted - spent - expired - taken
  const expected = rest > 0n ? rest : 0n
  return left === expected ? null : `has ${left} left, and not ${expected}`
}

/** What a lot lacks is a debt, or is paid by other lots, which have spent it. */
function companyWrong(
  own: readonly LedgerEvent[],
  lots: readonly StoredLot[],
  debt: StoredDebt | undefined,
): string | null {
  const balance = own.reduce((sum, event) => sum + movementOf(event).delta, 0n)
  const last = own.at(-1)?.revision ?? -1
  if ((debt?.revision ?? -1) !== last) return `its lots are at revision ${debt?.revision}, and not at ${last}`
  const left = lots.reduce((sum, lot) => sum + lot.left - lot.owed, 0n) - (debt?.debt ?? 0n)
  if (left !== balance) return `its lots add up to ${left}, and the ledger to ${balance}`
  return expiriesWrong(own) ?? differences(new LotsOfEvents(own).ledger, lots, debt?.debt ?? 0n)
}

function differences(expected: LotLedger, lots: readonly StoredLot[], debt: bigint): string | null {
  if (expected.lots.length !== lots.length) return `it has ${lots.length} lots, and not ${expected.lots.length}`
  for (const stored of lots) {
    const lot = expected.lot(stored.lot)
    const wrong = lot ? differenceOf(lot, stored) : 'does not follow from the ledger'
    if (wrong !== null) return `lot ${stored.lot} ${wrong}`
  }
  return debt === expected.debt ? null : `it owes ${debt}, and not ${expected.debt}`
}

function differenceOf(lot: Lot, stored: StoredLot): string | null {
  for (const name of ['priority', 'expiresMs', 'granted', 'spent', 'expired', 'owed', 'taken'] as const) {
    if (stored[name] !== lot[name]) return `has ${name} ${stored[name]}, and not ${lot[name]}`
  }
  return null
}

/** What only lots show of how a run went. */
function expiriesCounted(events: readonly LedgerEvent[]): (readonly [string, number])[] {
  const times = { expired: 0, givenBack: 0, rolledOver: 0, late: 0, tooLate: 0 }
  for (const own of grouped(events, ({ stream }) => stream).values()) {
    const lots = new LotsOfEvents()
    const { ledger } = lots
    for (const event of own) {
      const owed = ledger.lots.map((lot) => lot.owed)
      lots.add(event)
      if (event.type === 'CreditsExpired') times.expired += 1
      if (event.type === 'CreditsReinstated' && event.data.disputeId === null) times.givenBack += 1
      if (event.type === 'CreditsGranted' && event.data.source === 'ROLLOVER') times.rolledOver += 1
      if (event.type !== 'CallCharged') continue
      const burned = ledger.lots.filter((lot) => lot.uses.some(({ use }) => use === event.data.callId))
      if (burned.some((lot) => !lot.isValidAt(Date.parse(event.recordedAt)))) times.late += 1
      if (ledger.lots.some((lot, n) => lot.owed > (owed[n] ?? 0n))) times.tooLate += 1
    }
  }
  return [
    ['credits expire', times.expired],
    ['expired credits are given back to a call', times.givenBack],
    ['unused credits roll over', times.rolledOver],
    ['a call is charged after its lot has expired', times.late],
    ['a call is charged after the expiry of its lot was recorded', times.tooLate],
  ]
}

import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { grouped, only, storedEvents } from './events.ts'
import { type LedgerEvent, ledgerEvents, movementOf } from './folds/ledger.ts'

/** Its ledger has the price books of all companies, and it is no company. */
const COMMON_LEDGER = '00000000-0000-4000-8000-000000000000'

export type StoredLot = {
  readonly company: string
  readonly lot: string
  readonly granted: bigint
  readonly spent: bigint
  readonly expired: bigint
  readonly owed: bigint
  readonly taken: bigint
  readonly left: bigint
}
export type StoredDebt = { readonly company: string; readonly revision: number; readonly debt: bigint }

/** Lots add up to the balance, none is used twice, and they have followed the ledger to its end. */
export function creditLots({ pglite }: Simulation): Checker {
  return {
    invariant: 'lots add up to the balance, and none is used twice',
    end: () => {
      const lots = rowsOf(
        pglite,
        `select company_id, lot_id, granted_micros, spent_micros, expired_micros, owed_micros,
           refunded_micros + disputed_micros + corrected_micros, left_micros from credit_lots.lots`,
      ).map(([company, lot, ...amounts]): StoredLot => {
        const [granted, spent, expired, owed, taken, left] = amounts.map((amount) => BigInt(amount ?? 0)) as Six
        return { company: String(company), lot: String(lot), granted, spent, expired, owed, taken, left }
      })
      const debts = rowsOf(pglite, 'select company_id, revision, debt_micros from credit_lots.companies').map(
        ([company, revision, debt]): StoredDebt => ({
          ...{ company: String(company), revision: Number(revision), debt: BigInt(debt ?? 0) },
        }),
      )
      return lotsWrong(ledgerEvents(storedEvents(pglite)), lots, debts)
    },
  }
}

type Six = [bigint, bigint, bigint, bigint, bigint, bigint]

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
  const names = only(own as never, 'CreditsExpired').map(({ data }) => `${data.grantId} ${data.expiredBeforeMicros}`)
  return new Set(names).size === names.length ? null : 'the same credits have expired twice'
}

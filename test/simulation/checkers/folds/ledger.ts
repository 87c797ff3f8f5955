import { type EventNamed, ofCategory, only, type StoredEvent } from '../events.ts'
import { type Fold, later, type Row, Sums } from './fold.ts'

const BLOCK = 1_024
const GROUP = 1_024 * 128
const PART = 32
/** Its ledger has the price books of all companies, and it is no company. */
const COMMON_LEDGER = '00000000-0000-4000-8000-000000000000'

type Figure =
  | 'grants'
  | 'charges'
  | 'reversals'
  | 'refunds'
  | 'adjustments'
  | 'settlements'
  | 'expiries'
  | 'withdrawals'
  | 'reinstatements'

type Movement = {
  /** The figure of the audit that it counts in; null if it changes no balance. */
  readonly figure: Figure | null
  readonly type: string
  readonly amount: bigint
  /** What it changes the balance by. */
  readonly delta: bigint
  readonly at: string
  readonly reason: string | null
}

export type LedgerEvent = EventNamed<
  | 'CreditsGranted'
  | 'CallCharged'
  | 'CallFailed'
  | 'ChargeReversed'
  | 'CreditsRefunded'
  | 'CreditsAdjusted'
  | 'CreditsExpired'
  | 'CreditsWithdrawn'
  | 'CreditsReinstated'
  | 'InvoiceSettled'
  | 'MonthClosed'
  | 'MonthBilled'
  | 'PriceBookAnchored'
>

/** The table of figures in docs/auditors.md. */
export function movementOf(event: LedgerEvent): Movement {
  switch (event.type) {
    case 'CreditsGranted': {
      const amount = BigInt(event.data.amountMicros)
      const { source: type, grantedAt: at, reason } = event.data
      return { figure: 'grants', type, amount, delta: amount, at, reason }
    }
    case 'CallCharged': {
      const amount = BigInt(event.data.amountMicros)
      return { figure: 'charges', type: 'USAGE', amount, delta: -amount, at: event.data.finishedAt, reason: null }
    }
    case 'ChargeReversed': {
      const amount = BigInt(event.data.amountMicros)
      const { reversedAt: at, reason } = event.data
      return { figure: 'reversals', type: 'REVERSAL', amount, delta: amount, at, reason }
    }
    case 'CreditsRefunded': {
      const amount = BigInt(event.data.amountMicros)
      const { refundedAt: at, reason } = event.data
      return { figure: 'refunds', type: 'REFUND', amount, delta: -amount, at, reason }
    }
    case 'CreditsAdjusted': {
      const amount = BigInt(event.data.amountMicros)
      const { adjustedAt: at, reason } = event.data
      return { figure: 'adjustments', type: 'ADJUSTMENT', amount, delta: amount, at, reason }
    }
    case 'CreditsExpired': {
      const amount = BigInt(event.data.amountMicros)
      const reason = 'credits that were not used in time'
      return { figure: 'expiries', type: 'EXPIRY', amount, delta: -amount, at: event.data.expiredAt, reason }
    }
    case 'CreditsWithdrawn': {
      const amount = BigInt(event.data.amountMicros)
      const { disputeId, withdrawnAt: at } = event.data
      const reason = `withdrawn because of dispute ${disputeId}`
      return { figure: 'withdrawals', type: 'DISPUTE', amount, delta: -amount, at, reason }
    }
    case 'CreditsReinstated': {
      const amount = BigInt(event.data.amountMicros)
      const { disputeId, reinstatedAt: at } = event.data
      const late = 'a call that began before the expiry used these credits'
      const [type, reason] = disputeId === null ? ['EXPIRY', late] : ['DISPUTE', `given back from dispute ${disputeId}`]
      return { figure: 'reinstatements', type, amount, delta: amount, at, reason }
    }
    case 'InvoiceSettled': {
      const amount = BigInt(event.data.amountMicros)
      const { settledAt: at, month } = event.data
      return { figure: 'settlements', type: 'SETTLEMENT', amount, delta: amount, at, reason: `invoice for ${month}` }
    }
    case 'CallFailed':
      return { ...NO_MOVEMENT, type: 'FAILED', at: event.data.finishedAt, reason: event.data.reason }
    case 'MonthClosed':
      return { ...NO_MOVEMENT, type: 'MONTH_CLOSED', at: event.data.closedAt, reason: event.data.month }
    case 'MonthBilled':
      return { ...NO_MOVEMENT, type: 'MONTH_BILLED', at: event.data.billedAt, reason: event.data.month }
    case 'PriceBookAnchored':
      return { ...NO_MOVEMENT, type: 'PRICES', at: event.data.anchoredAt, reason: `price book ${event.data.bookId}` }
  }
}

const NO_MOVEMENT = { figure: null, amount: 0n, delta: 0n } as const

export function ledgerEvents(events: readonly StoredEvent[]): LedgerEvent[] {
  return ofCategory(events, 'ledger') as unknown as LedgerEvent[]
}

/** When an event was first stored, which a restore keeps. */
function storedAt({ metadata, recordedAt }: LedgerEvent): string {
  return metadata.recordedAt ?? recordedAt
}

const creditBalances: Fold = {
  table: 'credit_balances',
  key: ['company_id'],
  rowsOf: (events) => {
    const sums = new Sums()
    for (const event of ledgerEvents(events)) {
      const { figure, amount, delta, at } = movementOf(event)
      const key = { company_id: event.data.companyId }
      if (key.company_id === COMMON_LEDGER) continue
      const none = { grants_micros: 0, charges_micros: 0, reversals_micros: 0, refunds_micros: 0 }
      const since = { expiries_micros: 0, withdrawals_micros: 0, reinstatements_micros: 0 }
      sums.add(key, { ...none, adjustments_micros: 0, settlements_micros: 0, ...since, balance_micros: delta })
      if (figure !== null) sums.add(key, { [`${figure}_micros`]: amount })
      sums.rowOf(key).updated_at = at
    }
    return sums.rows
  },
}

const creditTransactions: Fold = {
  table: 'credit_transactions',
  key: ['company_id', 'revision'],
  rowsOf: (events) =>
    ledgerEvents(events).flatMap((event): Row[] => {
      const { figure, type, delta, at, reason } = movementOf(event)
      if (figure === null) return []
      const isOfCall = event.type === 'CallCharged' || event.type === 'ChargeReversed'
      return [
        {
          transaction_id: event.id,
          company_id: event.data.companyId,
          revision: event.revision,
          type,
          amount_micros: delta,
          call_id: isOfCall ? event.data.callId : null,
          key_id: isOfCall ? event.data.keyId : null,
          alias: isOfCall ? event.data.alias : null,
          tokens_in: isOfCall ? event.data.tokensIn : null,
          tokens_out: isOfCall ? event.data.tokensOut : null,
          reason,
          corrects: event.type === 'CreditsAdjusted' ? event.data.corrects : null,
          occurred_at: at,
        },
      ]
    }),
}

const ledgerBlocks: Fold = {
  table: 'ledger_blocks',
  key: ['company_id', 'level', 'block'],
  rowsOf: (events) => {
    const sums = new Sums()
    for (const event of ledgerEvents(events)) {
      for (const [level, revisions] of [BLOCK, GROUP].entries()) {
        const block = Math.trunc(event.revision / revisions)
        const key = { company_id: event.data.companyId, level, block }
        sums.add(key, { events: 1, delta_micros: movementOf(event).delta })
        const row = sums.rowOf(key)
        row.latest_at = later(row.latest_at, storedAt(event))
      }
    }
    return sums.rows
  },
}

const ledgerParts: Fold = {
  table: 'ledger_parts',
  key: ['company_id', 'part'],
  rowsOf: (events) => {
    const sums = new Sums()
    for (const event of ledgerEvents(events)) {
      const key = { company_id: event.data.companyId, part: Math.trunc(event.revision / PART) }
      const { delta } = movementOf(event)
      sums.add(key, { events: 1, delta_micros: delta })
      const row = sums.rowOf(key)
      const at = storedAt(event)
      row.latest_at = later(row.latest_at, at)
      row.first_at ??= at
      const entry = `${Date.parse(at) - Date.parse(String(row.first_at))} ${delta}`
      row.entries = row.entries === undefined ? entry : `${row.entries},${entry}`
    }
    return sums.rows
  },
}

const ledgerTotals: Fold = {
  table: 'ledger_totals',
  key: ['company_id', 'block', 'kind', 'name'],
  rowsOf: (events) => {
    const sums = new Sums()
    for (const event of ledgerEvents(events)) {
      const { type, delta } = movementOf(event)
      const names: [string, string][] = [['byType', type]]
      if (event.type === 'CallCharged' || event.type === 'ChargeReversed') {
        const { alias, keyId, label } = event.data
        names.push(['byAlias', alias], ['byKey', keyId], ['byLabel', label ?? '(none)'])
      }
      const block = Math.trunc(event.revision / BLOCK)
      for (const [kind, name] of names) {
        const key = { company_id: event.data.companyId, block, kind, name }
        sums.add(key, { entries: 1, delta_micros: delta })
        sums.rowOf(key).first_revision ??= event.revision
      }
    }
    return sums.rows
  },
}

const monthCloses: Fold = {
  table: 'month_closes',
  key: ['company_id', 'month'],
  rowsOf: (events) =>
    only(events, 'MonthClosed').map(({ data, revision }) => {
      const isOfMonth = (other: { data: { companyId: string; month: string } }) =>
        other.data.companyId === data.companyId && other.data.month === data.month
      const bill = only(events, 'MonthBilled').find(isOfMonth)?.data
      return {
        company_id: data.companyId,
        month: data.month,
        revision,
        terms: data.terms,
        closed_at: data.closedAt,
        billed_at: bill?.billedAt,
        credits_micros: bill?.creditsMicros,
        amount_minor: bill?.amountMinor,
        lines: bill?.lines,
        carried_micros: bill?.carriedMicros,
        settled_at: only(events, 'InvoiceSettled').find(isOfMonth)?.data.settledAt,
      }
    }),
}

export const ledgerFolds: readonly Fold[] = [
  creditBalances,
  creditTransactions,
  ledgerBlocks,
  ledgerParts,
  ledgerTotals,
  monthCloses,
]

import { type EventNamed, only, type StoredEvent } from '../events.ts'
import { type Fold, later, type Row, Sums } from './fold.ts'

const MINUTE_MS = 60_000
const BUCKETS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS } as const

type CallEvent = EventNamed<'CallCharged' | 'CallFailed' | 'ChargeReversed'>

function callEvents(events: readonly StoredEvent[]): CallEvent[] {
  return only(events, 'CallCharged', 'CallFailed', 'ChargeReversed')
}

function dayOf(time: string): string {
  return new Date(Math.floor(Date.parse(time) / BUCKETS.day) * BUCKETS.day).toISOString().slice(0, 10)
}

/** What a call adds to usage: a reversed call stays a request, and becomes a failure without cost. */
function usageOf(event: CallEvent) {
  if (event.type === 'CallFailed') return { requests: 1, failures: 1, tokens_in: 0, tokens_out: 0, charged_micros: 0 }
  const { tokensIn, tokensOut, amountMicros } = event.data
  return event.type === 'CallCharged'
    ? { requests: 1, failures: 0, tokens_in: tokensIn, tokens_out: tokensOut, charged_micros: amountMicros }
    : { requests: 0, failures: 1, tokens_in: -tokensIn, tokens_out: -tokensOut, charged_micros: -BigInt(amountMicros) }
}

function usageFold(table: string, key: readonly string[], keyOf: (call: CallEvent['data']) => Row | null): Fold {
  return {
    table,
    key: [...key, 'granularity', 'bucket'],
    rowsOf: (events) => {
      const sums = new Sums()
      for (const event of callEvents(events)) {
        const own = keyOf(event.data)
        if (own === null) continue
        for (const [granularity, ms] of Object.entries(BUCKETS)) {
          const bucket = new Date(Math.floor(Date.parse(event.data.finishedAt) / ms) * ms).toISOString()
          sums.add({ ...own, granularity, bucket }, usageOf(event))
        }
      }
      return sums.rows
    },
  }
}

const usage = usageFold('usage', ['key_id', 'alias'], ({ keyId, alias, companyId }) => ({
  key_id: keyId,
  alias,
  company_id: companyId,
}))

const usageByCompany = usageFold('usage_by_company', ['company_id', 'alias'], ({ companyId, alias }) => ({
  company_id: companyId,
  alias,
}))

const usageByLabel = usageFold(
  'usage_by_label',
  ['company_id', 'label', 'key_id', 'alias'],
  ({ companyId, label, keyId, alias }) =>
    label === null ? null : { company_id: companyId, label, key_id: keyId, alias },
)

const calls: Fold = {
  table: 'calls',
  key: ['company_id', 'finished_at', 'call_id'],
  rowsOf: (events) => {
    const reversals = new Map(only(events, 'ChargeReversed').map(({ data }) => [data.callId, data]))
    return only(events, 'CallCharged', 'CallFailed').map((event): Row => {
      const { data } = event
      const reversal = event.type === 'CallCharged' ? reversals.get(data.callId) : undefined
      const end = event.type === 'CallFailed' ? { state: 'FAILED', reason: event.data.reason } : null
      const charged = event.type === 'CallCharged' ? event.data : null
      return {
        company_id: data.companyId,
        finished_at: data.finishedAt,
        call_id: data.callId,
        key_id: data.keyId,
        alias: data.alias,
        endpoint: data.endpoint,
        streamed: data.streamed,
        label: data.label,
        tokens_in: charged?.tokensIn ?? 0,
        tokens_cached: data.tokensCached,
        tokens_out: charged?.tokensOut ?? 0,
        charged_micros: reversal ? 0 : (charged?.amountMicros ?? 0),
        admitted_at: data.admittedAt,
        revision: event.revision,
        ...(end ?? (reversal ? { state: 'REVERSED', reason: reversal.reason } : { state: 'CHARGED', reason: null })),
      }
    })
  },
}

const keySpend: Fold = {
  table: 'key_spend',
  key: ['key_id', 'period'],
  rowsOf: (events) => {
    const sums = new Sums()
    for (const event of callEvents(events)) {
      const { keyId, companyId, admittedAt } = event.data
      const day = dayOf(admittedAt)
      for (const period of [day, day.slice(0, 7), 'total']) {
        const key = { key_id: keyId, period }
        sums.add(key, { spent_micros: usageOf(event).charged_micros })
        const row = sums.rowOf(key)
        row.company_id = companyId
        row.last_used_at = later(row.last_used_at, admittedAt)
      }
    }
    return sums.rows
  },
}

const dailyTokens: Fold = {
  table: 'daily_tokens',
  key: ['day', 'company_id'],
  rowsOf: (events) => {
    const sums = new Sums()
    for (const event of callEvents(events)) {
      const key = { day: dayOf(event.data.finishedAt), company_id: event.data.companyId }
      if (event.type !== 'CallFailed') {
        const { tokens_in, tokens_out } = usageOf(event)
        sums.add(key, { tokens_charged: tokens_in + tokens_out, tokens_abandoned: 0 })
      } else if (event.data.tokensAbandoned !== null) {
        sums.add(key, { tokens_charged: 0, tokens_abandoned: event.data.tokensAbandoned })
      }
    }
    return sums.rows
  },
}

/** A provider is paid for a call that was reversed. */
const dailyMargins: Fold = {
  table: 'daily_margins',
  key: ['day', 'company_id', 'alias', 'provider', 'cost_currency'],
  rowsOf: (events) => {
    const sums = new Sums()
    for (const event of callEvents(events)) {
      const { companyId, alias, finishedAt, provider, costCurrency, costMicros } = event.data
      const owner = { day: dayOf(finishedAt), company_id: companyId, alias }
      const { failures, charged_micros } = usageOf(event)
      sums.add(
        { ...owner, provider: provider ?? '', cost_currency: costCurrency ?? '' },
        {
          calls: { CallCharged: 1, CallFailed: 0, ChargeReversed: -1 }[event.type],
          failures,
          charged_micros,
          cost_micros: event.type === 'ChargeReversed' ? 0 : (costMicros ?? 0),
        },
      )
    }
    return sums.rows
  },
}

export const callFolds: readonly Fold[] = [
  calls,
  usage,
  usageByCompany,
  usageByLabel,
  keySpend,
  dailyTokens,
  dailyMargins,
]

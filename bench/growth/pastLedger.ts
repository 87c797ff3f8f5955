import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { NewEvent } from '../../contracts/envelope.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { aCharge } from '../benchDatabase.ts'

const DAY_MS = 86_400_000
/**
 * The newest events of every size fall into the same days, so that a page or a month shows as much in each of them and
 * only the earlier history is longer. Pages show at most 90 days.
 */
export const RECENT_EVENTS = 8_000
export const RECENT_DAYS = 95
export const HISTORY_DAYS = 3 * 365
/** How fast the calls of an earlier day follow each other, like those of nightly work. */
const BUSY_EVENTS_PER_SECOND = 10
/** Events of the first company per hundred; the others share the rest. */
const LARGE_PERCENT = 80
const FAILED_PERCENT = 2
/** One in this many events of a small company is a grant. */
const GRANT_EVERY = 500
const OTHER_COMPANIES = 11
const KEYS_OF_LARGE = 4
const KEYS_OF_OTHERS = 2
const LABELS = ['search', 'interviews', 'support', 'indexing', 'reports', null]

export type PastCompany = { readonly companyId: string; readonly keyIds: readonly string[] }

/** The ledgers of a few companies over some years. Deterministic, so that an interrupted run can continue. */
export type PastLedger = {
  readonly events: number
  /** The time of the last event. */
  readonly untilMs: number
  /** The first one has most of the events. */
  readonly companies: readonly [PastCompany, ...PastCompany[]]
}

/** The demo company, whose key and people can be used, and others. */
export function pastCompanies({ companyId, keyId }: { readonly companyId: string; readonly keyId: string }) {
  const keysOf = (id: string, keys: number) =>
    Array.from({ length: keys }, (_, n) => deterministicId(`growth:${id}:key ${n}`))
  const others = Array.from({ length: OTHER_COMPANIES }, (_, n) => {
    const id = deterministicId(`growth:${companyId}:company ${n}`)
    return { companyId: id, keyIds: keysOf(id, KEYS_OF_OTHERS) }
  })
  const demo = { companyId, keyIds: [keyId, ...keysOf(companyId, KEYS_OF_LARGE - 1)] }
  return [demo, ...others] as const satisfies PastLedger['companies']
}

export type PastEvent = { readonly companyId: string; readonly event: NewEvent }

/** The event with this number, from 0. Later numbers have later times. */
export function pastEvent(ledger: PastLedger, n: number): PastEvent {
  const dice = scattered(n)
  const [large, ...others] = ledger.companies
  const isLarge = dice % 100 < LARGE_PERCENT || others.length === 0
  const { companyId, keyIds } = isLarge ? large : (others[(dice >>> 8) % others.length] ?? large)
  const at = new Date(pastTimeMs(ledger, n)).toISOString()
  const keyId = keyIds[(dice >>> 16) % keyIds.length] ?? ''
  const id = deterministicId(`growth:${companyId}:${n}`)
  if (!isLarge && (dice >>> 7) % GRANT_EVERY === 0) return { companyId, event: grant(companyId, id, at) }
  const label = LABELS[(dice >>> 12) % LABELS.length] ?? null
  const charge = aCharge(companyId, keyId, dice >>> 6, { at, label, callId: id })
  return { companyId, event: (dice >>> 20) % 100 < FAILED_PERCENT ? failureOf(charge) : charge }
}

/** When the event with this number happened. */
export function pastTimeMs({ events, untilMs }: PastLedger, n: number): number {
  const older = Math.max(0, events - RECENT_EVENTS)
  const recentFromMs = untilMs - RECENT_DAYS * DAY_MS
  const recent = events - older
  if (n >= older) return recentFromMs + Math.floor(((n - older + 1) / recent) * RECENT_DAYS * DAY_MS)
  const days = (n / older) * HISTORY_DAYS
  const day = Math.floor(days)
  const busyMs = Math.min(DAY_MS, (older / HISTORY_DAYS / BUSY_EVENTS_PER_SECOND) * 1_000)
  return recentFromMs + (day - HISTORY_DAYS) * DAY_MS + Math.floor((days - day) * busyMs)
}

/** Before all events: when the first company got the credits that they cost. */
export function firstGrant(ledger: Pick<PastLedger, 'untilMs'>): string {
  return new Date(ledger.untilMs - (RECENT_DAYS + HISTORY_DAYS + 1) * DAY_MS).toISOString()
}

function grant(companyId: string, grantId: string, at: string): NewEvent {
  const data = {
    companyId,
    grantId,
    source: 'ADJUSTMENT',
    amountMicros: '1000000000',
    reason: 'bench',
    grantedAt: at,
    lot: null,
  }
  return newEvent(grantId, { type: 'CreditsGranted', data }, causeOf(grantId, at))
}

function failureOf({ id, data, metadata }: NewEvent): NewEvent {
  const { tokensIn: _in, tokensOut: _out, amountMicros: _amount, price: _price, ...charged } = data
  const { lines: _lines, serviceTier: _tier, tierFactor: _factor, abandoned: _abandoned, ...facts } = charged
  const failed = { ...facts, reason: 'the provider cut the stream', tokensAbandoned: null }
  const { schemaVersion: _version, ...cause } = metadata
  return newEvent(id, { type: 'CallFailed', data: failed }, cause)
}

function causeOf(id: string, recordedAt: string) {
  return { correlationId: id, causationId: id, actor: { kind: 'system', name: 'bench' }, recordedAt } as const
}

/** Spreads consecutive numbers over 32 bits, deterministically. */
function scattered(n: number): number {
  let x = Math.imul(n ^ (n >>> 16), 0x45d9f3b)
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b)
  return (x ^ (x >>> 16)) >>> 0
}

import { creditsNumber } from '../../../domain/credits.ts'
import {
  USAGE_GROUPS,
  USAGE_RANGE_DAYS_MAX,
  type UsageGroup,
  type UsageTotals,
} from '../../../projections/usage/queries.ts'
import { isoTime, parseTime } from '../../platform/clock/clock.ts'
import { sendJson } from '../../platform/http/answers.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { invalidRequest } from '../gatewayError.ts'
import type { LimitStatus } from '../rateLimiter.ts'
import type { GatewayRoute } from '../route.ts'
import type { LiveKey } from '../views/keys.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DEFAULT_DAYS = 30

export const usage: GatewayRoute = {
  method: 'GET',
  path: '/usage',
  scope: 'usage:read',
  handle: async (deps, { key, query: sent, response, headers }) => {
    sendJson(response, 200, await usageReport(deps, key, new URLSearchParams(sent)), headers)
  },
}

/** What the key has used in a range, by group, and what it has left. */
export async function usageReport(deps: GatewayDependencies, key: LiveKey, query: URLSearchParams) {
  const range = readRange(query, deps.clock.now())
  const groupBy = readGroup(query.get('group_by'))
  const groups = await deps.readUsage({
    companyId: key.companyId,
    keyId: key.keyId,
    from: range.from,
    to: range.until,
    groupBy,
  })
  const { rpm, tpm } = await deps.rateLimiter.status(key)
  return {
    object: 'usage',
    from: range.from,
    to: range.to,
    group_by: groupBy,
    totals: amounts(groups),
    data: groups.map((group) => ({ group: group.group, ...amounts([group]) })),
    balance: { credits: creditsNumber(deps.views.balances.balanceMicros(key.companyId)) },
    limits: { rpm: limitOf(rpm), tpm: limitOf(tpm) },
  }
}

/** To the minute. Without `to` the range has no end, and the answer says up to when it was read. */
function readRange(query: URLSearchParams, nowMs: number) {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const from = readTime(query, 'from') ?? today - DEFAULT_DAYS * DAY_MS
  const to = readTime(query, 'to')
  if ((to ?? nowMs) < from) throw invalidRequest("'from' must not be after 'to'.")
  if ((to ?? nowMs) - from > USAGE_RANGE_DAYS_MAX * DAY_MS) {
    throw invalidRequest(`'from' and 'to' must be at most ${USAGE_RANGE_DAYS_MAX} days apart.`)
  }
  const until = to === null ? null : isoTime(Math.ceil(to / MINUTE_MS) * MINUTE_MS)
  return { from: isoTime(Math.floor(from / MINUTE_MS) * MINUTE_MS), until, to: until ?? isoTime(nowMs) }
}

function readTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null) return null
  const time = parseTime(text)
  if (time === null) throw invalidRequest(`'${name}' must be an ISO 8601 time with a zone, or a date.`)
  return time
}

function readGroup(text: string | null): UsageGroup {
  const group = text ?? 'alias'
  if (!(USAGE_GROUPS as readonly string[]).includes(group)) {
    throw invalidRequest(`'group_by' must be one of ${USAGE_GROUPS.join(', ')}.`)
  }
  return group as UsageGroup
}

function amounts(groups: readonly UsageTotals[]) {
  const sum = (name: keyof UsageTotals) => groups.reduce((total, group) => total + BigInt(group[name]), 0n)
  return {
    requests: Number(sum('requests')),
    failures: Number(sum('failures')),
    tokens_in: Number(sum('tokens_in')),
    tokens_out: Number(sum('tokens_out')),
    credits: creditsNumber(sum('charged_micros')),
  }
}

function limitOf({ limit, remaining, resetAtMs }: LimitStatus) {
  return { limit, remaining, reset_at: isoTime(resetAtMs) }
}

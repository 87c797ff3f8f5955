import { z } from 'zod'
import { creditsNumber } from '../../../domain/credits.ts'
import { ISO_TIME, isoTime, parseTime } from '../../../platform/clock/clock.ts'
import { route } from '../../../platform/http/route.ts'
import type { UsageTotals } from '../../../projections/usage/callCounts.ts'
import {
  USAGE_GROUPS,
  USAGE_RANGE_DAYS_MAX,
  USAGE_ROWS_MAX,
  type UsageGroup,
  type UsageGroups,
} from '../../../projections/usage/queries.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { invalidRequest } from '../gatewayError.ts'
import type { LimitStatus } from '../rateLimiter.ts'
import type { RequestContext } from '../requestContext.ts'
import type { LiveKey } from '../views/keys.ts'
import { MOUNT } from './mount.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DEFAULT_DAYS = 30

const time = (name: string, byDefault: string) => {
  const error = `'${name}' must be an ISO 8601 time with a zone, or a date.`
  const range = `at most ${USAGE_RANGE_DAYS_MAX} days from the other end of the range`
  return z
    .string()
    .regex(ISO_TIME, { error })
    .refine((text) => parseTime(text) !== null, { error })
    .meta({
      description: `ISO 8601 time with a zone, or a date, ${range}; ${byDefault} by default`,
      examples: ['2026-01-31', '2026-01-31T08:30:00Z'],
    })
}

const GROUP_BY_ERROR = `'group_by' must be one or two of ${USAGE_GROUPS.join(', ')}, separated by a comma.`

const fields = {
  from: time('from', `${DEFAULT_DAYS} days ago`).optional(),
  to: time('to', 'now').optional(),
  group_by: z
    .string()
    .refine((text) => groupsIn(text) !== null, { error: GROUP_BY_ERROR })
    .optional()
    .meta({
      description: `one or two of ${USAGE_GROUPS.join(', ')}, separated by a comma; alias by default`,
      examples: ['alias', 'day,alias'],
    }),
}
const usageQuery = z.looseObject(fields)
/** As the arguments of a tool, where an unknown one is refused. */
export const usageArguments = z.strictObject(fields)

const amountFields = {
  requests: z.number(),
  failures: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  credits: z.number(),
}
const limit = z.object({ limit: z.number(), remaining: z.number(), reset_at: z.string() })

export const usageAnswer = z.object({
  object: z.literal('usage'),
  from: z.string(),
  to: z.string(),
  group_by: z.string(),
  totals: z.object(amountFields),
  data: z.array(z.object({ group: z.string(), subgroup: z.string().optional(), ...amountFields })),
  balance: z.object({ credits: z.number() }),
  limits: z.object({ rpm: limit, tpm: limit }),
})

export const USAGE_SUMMARY =
  'Reports what this key has used and spent, up to the last finished call, and what is left of its limits.'

export const usage = (deps: GatewayDependencies) =>
  route({
    method: 'GET',
    path: `${MOUNT}/usage`,
    access: 'key',
    scope: 'usage:read',
    tag: 'Usage',
    summary: USAGE_SUMMARY,
    query: usageQuery,
    answer: usageAnswer,
    handle: ({ caller, query }: { caller: RequestContext; query: z.infer<typeof usageQuery> }) =>
      usageReport(deps, caller.key, query),
  })

/** What the key has used in a range, by group, and what it has left. */
export async function usageReport(
  deps: GatewayDependencies,
  key: LiveKey,
  query: z.infer<typeof usageArguments>,
): Promise<z.infer<typeof usageAnswer>> {
  const range = readRange(query, deps.clock.now())
  const groupBy = groupsIn(query.group_by ?? 'alias') ?? (['alias'] as const)
  const groups = await deps.readUsage({
    companyId: key.companyId,
    keyId: key.keyId,
    from: range.from,
    to: range.until,
    groupBy,
  })
  if (groups.length > USAGE_ROWS_MAX) {
    throw invalidRequest(`'group_by' gives more than ${USAGE_ROWS_MAX} groups in this range: ask for a shorter one.`)
  }
  const { rpm, tpm } = await deps.rateLimiter.status(key)
  return {
    object: 'usage',
    from: range.from,
    to: range.to,
    group_by: groupBy.join(','),
    totals: amounts(groups),
    data: groups.map((group) => ({
      group: group.group,
      ...(group.subgroup !== null && { subgroup: group.subgroup }),
      ...amounts([group]),
    })),
    balance: { credits: creditsNumber(deps.views.balances.balanceMicros(key.companyId)) },
    limits: { rpm: limitOf(rpm), tpm: limitOf(tpm) },
  }
}

/** Null if the text is not one or two different groups. */
function groupsIn(text: string): UsageGroups | null {
  const [first, second, ...more] = text.split(',')
  if (!isGroup(first) || more.length > 0 || first === second) return null
  if (second === undefined) return [first]
  return isGroup(second) ? [first, second] : null
}

function isGroup(text: string | undefined): text is UsageGroup {
  return (USAGE_GROUPS as readonly (string | undefined)[]).includes(text)
}

/** Rounded outwards to minutes. Without `to` the range is open, and the answer says up to when it was read. */
function readRange(query: z.infer<typeof usageArguments>, nowMs: number) {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const from = timeOf(query.from) ?? today - DEFAULT_DAYS * DAY_MS
  const to = timeOf(query.to)
  if ((to ?? nowMs) < from) throw invalidRequest("'from' must not be after 'to'.")
  if ((to ?? nowMs) - from > USAGE_RANGE_DAYS_MAX * DAY_MS) {
    throw invalidRequest(`'from' and 'to' must be at most ${USAGE_RANGE_DAYS_MAX} days apart.`)
  }
  const until = to === null ? null : isoTime(Math.ceil(to / MINUTE_MS) * MINUTE_MS)
  return { from: isoTime(Math.floor(from / MINUTE_MS) * MINUTE_MS), until, to: until ?? isoTime(nowMs) }
}

function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : parseTime(text)
}

function amounts(groups: readonly UsageTotals[]) {
  const sum = (name: keyof UsageTotals) => groups.reduce((total, group) => total + BigInt(group[name]), 0n)
  return {
    requests: Number(sum('requests')),
    failures: Number(sum('failures')),
    tokens_in: Number(sum('tokensIn')),
    tokens_out: Number(sum('tokensOut')),
    credits: creditsNumber(sum('chargedMicros')),
  }
}

function limitOf({ limit, remaining, resetAtMs }: LimitStatus) {
  return { limit, remaining, reset_at: isoTime(resetAtMs) }
}

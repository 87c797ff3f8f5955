import { creditsNumber } from '../../../../../domain/credits.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import {
  companyUsageByGroup,
  type GroupedUsage,
  USAGE_RANGE_DAYS_MAX,
  USAGE_ROWS_MAX,
  type UsageGroups,
  type UsageRange,
  usageByGroup,
} from '../../../../../projections/usage/queries.ts'
import { requireCompany } from '../../access/access.ts'
import { onlyKeysOf, requireVisibleKey } from '../../access/visibleKeys.ts'
import { apiError } from '../../apiError.ts'
import type { Maybe, Resolvers, UsageEntry, UsageGroup } from '../../generated.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DEFAULT_DAYS = 30

export const usage: Resolvers = {
  Query: {
    usage: async (_source, args, context) => {
      const companyId = requireCompany(context)
      const { engines, clock } = context.runtime
      const range = rangeOf(args, clock.now())
      const keyId = args.keyId == null ? null : (await requireVisibleKey(context, args.keyId)).keyId
      const groups =
        keyId === null
          ? await companyUsageByGroup(engines.database, companyId, range, onlyKeysOf(context))
          : await usageByGroup(engines.database, { ...range, keyId })
      if (groups.length > USAGE_ROWS_MAX) {
        throw apiError('BAD_USER_INPUT', `there are more than ${USAGE_ROWS_MAX} groups: ask for a shorter range`)
      }
      // The number of groups is limited, so one page holds all.
      return { nodes: groups.map(shownUsage), pageInfo: { hasNextPage: false, endCursor: null } }
    },
  },
}

type AskedRange = {
  readonly from?: Maybe<string>
  readonly to?: Maybe<string>
  readonly groupBy?: Maybe<readonly UsageGroup[]>
  readonly label?: Maybe<string>
}

/**
 * Rounded to the minute, as in the gateway's /usage. Without `to` there is no end, so that a `from` after the clock is a range
 * like any other: what is in it is dated after the clock, too.
 */
function rangeOf({ from, to, groupBy, label }: AskedRange, nowMs: number): UsageRange {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const fromMs = from == null ? today - DEFAULT_DAYS * DAY_MS : Date.parse(from)
  const toMs = to == null ? null : Date.parse(to)
  if (toMs !== null && toMs < fromMs) throw apiError('BAD_USER_INPUT', 'from must not be after to')
  if ((toMs ?? nowMs) - fromMs > USAGE_RANGE_DAYS_MAX * DAY_MS) {
    throw apiError('BAD_USER_INPUT', `from and to must be at most ${USAGE_RANGE_DAYS_MAX} days apart`)
  }
  return {
    from: isoTime(Math.floor(fromMs / MINUTE_MS) * MINUTE_MS),
    to: toMs === null ? null : isoTime(Math.ceil(toMs / MINUTE_MS) * MINUTE_MS),
    groupBy: groupsIn(groupBy ?? ['ALIAS']),
    label: label ?? null,
  }
}

const GROUPS = { ALIAS: 'alias', KEY: 'key', LABEL: 'label', HOUR: 'hour', DAY: 'day', MONTH: 'month' } as const

function groupsIn(groups: readonly (keyof typeof GROUPS)[]): UsageGroups {
  const [first, second, ...more] = groups
  if (first === undefined || more.length > 0 || first === second) {
    throw apiError('BAD_USER_INPUT', 'groupBy must be one or two different groups')
  }
  return second === undefined ? [GROUPS[first]] : [GROUPS[first], GROUPS[second]]
}

function shownUsage(row: GroupedUsage): UsageEntry {
  return {
    group: row.group,
    subgroup: row.subgroup,
    requests: Number(row.requests),
    failures: Number(row.failures),
    tokensIn: Number(row.tokensIn),
    tokensOut: Number(row.tokensOut),
    credits: creditsNumber(BigInt(row.chargedMicros)),
    amountMicros: row.chargedMicros,
  }
}

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../../contracts/streams.ts'
import { apiKeys } from '../../../projections/apiKeys/projection.ts'
import { usage } from '../../../projections/usage/projection.ts'
import {
  companyUsageByGroup,
  type GroupedUsage,
  NO_LABEL,
  type UsageGroup,
  type UsageGroups,
  type UsageRange,
  usageByGroup,
} from '../../../projections/usage/queries.ts'
import { usageByCompany } from '../../../projections/usageByCompany/projection.ts'
import { usageByLabel } from '../../../projections/usageByLabel/projection.ts'
import { ReadModels } from '../databases/readModels.ts'
import { minted } from '../events/controlEvents.ts'
import { charged, reversed } from '../events/ledgerEvents.ts'

export type UsageGroupCases = {
  readonly ranges: readonly (readonly [string, string | null])[]
  readonly groups: readonly UsageGroups[]
}

/** Checks that the usage of a key and of a company, with and without a label, equals the sum of the events. */
export function usageGroupCases({ ranges, groups }: UsageGroupCases): void {
  let models: ReadModels
  const company = randomUUID()
  const keys = [randomUUID(), randomUUID()]
  const labels = [null, 'team-a', 'team-b', null]
  const aliases = ['svc/chat-default', 'svc/chat-cheap', 'acme/fast']
  /** Calls over six weeks, most of them around the ends of the ranges below. */
  const made = Array.from({ length: 90 }, (_, n) => {
    const ms = Date.UTC(2026, 1, 10 + (n % 42), (n * 7) % 24, (n * 13) % 60, 30)
    const call = { keyId: keys[n % 2] as string, alias: aliases[n % 3] as string, label: labels[n % 4] ?? null }
    return charged(company, { ...call, finishedAt: new Date(ms).toISOString(), amountMicros: String(n + 1) })
  })
  beforeAll(async () => {
    models = await ReadModels.open()
    const back = made.filter((_, n) => n % 9 === 0).map((charge) => reversed(charge))
    await models.appendToLedger(company, ...made, ...back)
    for (const key of keys) await models.append(streamName('apiKey', key), minted(key, { companyId: company }))
    for (const model of [usage, usageByCompany, usageByLabel, apiKeys]) await models.rebuild(model)
  })

  afterAll(() => models.close())

  const groupOf = ({ data }: (typeof made)[number], group: UsageGroup): string => {
    if (group === 'alias') return data.alias
    if (group === 'key') return data.keyId
    if (group === 'label') return data.label ?? NO_LABEL
    const chars = { hour: 13, day: 10, month: 7 }[group]
    return `${data.finishedAt.slice(0, chars)}${'2026-01-01T00:00:00.000Z'.slice(chars)}`
  }
  /** The same, computed from the events alone. */
  const expected = ({ from, to, groupBy, label = null }: UsageRange, keyId: string | null) => {
    const sums = new Map<string, [string, string | null, number, number]>()
    for (const [n, call] of made.entries()) {
      const { data } = call
      if (data.finishedAt < from || (to !== null && data.finishedAt >= to)) continue
      if ((keyId !== null && data.keyId !== keyId) || (label !== null && data.label !== label)) continue
      const [group, subgroup] = groupBy
      const names = [groupOf(call, group), subgroup ? groupOf(call, subgroup) : null] as const
      const [, , requests, micros] = sums.get(names.join()) ?? [...names, 0, 0]
      sums.set(names.join(), [...names, requests + 1, micros + (n % 9 === 0 ? 0 : n + 1)])
    }
    return [...sums.values()].map(String).toSorted()
  }
  const brief = (rows: readonly GroupedUsage[]) =>
    rows
      .map(({ group, subgroup, requests, chargedMicros }) => String([group, subgroup, requests, chargedMicros]))
      .toSorted()

  test.each(ranges)('groups of usage from %s to %s are what the events add up to', async (from, to) => {
    const [key = ''] = keys
    for (const groupBy of groups) {
      for (const label of [null, 'team-a']) {
        const range = { from, to, groupBy, label }
        const ofCompany = await companyUsageByGroup(models.database, company, range)
        expect(brief(ofCompany), `company by ${groupBy}`).toEqual(expected(range, null))
        const ofKey = await usageByGroup(models.database, { ...range, keyId: key })
        expect(brief(ofKey), `key by ${groupBy}`).toEqual(expected(range, key))
      }
    }
  })
}

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { usageGroupCases } from '../../test/support/cases/usageGroupCases.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { minted } from '../../test/support/events/controlEvents.ts'
import { charged, failed } from '../../test/support/events/ledgerEvents.ts'
import { apiKeys } from '../apiKeys/projection.ts'
import { usageByCompany } from '../usageByCompany/projection.ts'
import { usageByLabel } from '../usageByLabel/projection.ts'
import { usage } from './projection.ts'
import { USAGE_GROUPS, type UsageGroup, usageByGroup } from './queries.ts'

const companyId = randomUUID()
const keyId = randomUUID()
/** Each call costs a different power of two, so that a sum shows which calls it includes. */
const CALLS = [
  { finishedAt: '2026-02-28T23:59:59.999Z', alias: 'svc/chat-default' },
  { finishedAt: '2026-03-01T00:00:00.000Z', alias: 'svc/chat-cheap' },
  { finishedAt: '2026-03-01T00:59:59.999Z', alias: 'svc/chat-default' },
  { finishedAt: '2026-03-01T01:00:00.000Z', alias: 'svc/chat-default' },
  { finishedAt: '2026-03-01T01:30:10.000Z', alias: 'svc/chat-cheap' },
  { finishedAt: '2026-03-01T23:59:00.000Z', alias: 'svc/chat-default' },
  { finishedAt: '2026-03-02T00:00:00.000Z', alias: 'svc/chat-default' },
]

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  const calls = CALLS.map((call, n) => charged(companyId, { keyId, ...call, amountMicros: String(2 ** n) }))
  const others = [charged(companyId), failed(companyId, { keyId, finishedAt: '2026-03-01T01:30:50.000Z' })]
  await models.appendToLedger(companyId, ...calls, ...others)
  await models.append(streamName('apiKey', keyId), minted(keyId, { companyId }))
  for (const model of [usage, usageByCompany, usageByLabel, apiKeys]) await models.rebuild(model)
})
afterAll(() => models.close())

const ask = (from: string, to: string | null, groupBy: UsageGroup) =>
  usageByGroup(models.database, { keyId, from, to, groupBy: [groupBy] })

const callsIn = async (from: string, to: string | null, groupBy: UsageGroup = 'alias') => {
  const groups = await ask(from, to, groupBy)
  const sum = groups.reduce((total, group) => total + Number(group.chargedMicros), 0)
  return CALLS.map((_, n) => n).filter((n) => sum & (2 ** n))
}

describe('a range', () => {
  test.each([
    ['a whole day', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', [1, 2, 3, 4, 5]],
    ['whole hours', '2026-03-01T00:00:00.000Z', '2026-03-01T01:00:00.000Z', [1, 2]],
    ['minutes, the first one included', '2026-03-01T01:30:00.000Z', '2026-03-01T01:31:00.000Z', [4]],
    ['minutes, the last one excluded', '2026-03-01T00:59:00.000Z', '2026-03-01T01:00:00.000Z', [2]],
    ['from a minute to a day', '2026-03-01T23:59:00.000Z', '2026-03-02T00:00:00.000Z', [5]],
    ['from a day to a minute', '2026-03-01T00:00:00.000Z', '2026-03-01T00:01:00.000Z', [1]],
    ['from a day on', '2026-03-01T00:00:00.000Z', null, [1, 2, 3, 4, 5, 6]],
    ['from an hour on', '2026-03-01T01:00:00.000Z', null, [3, 4, 5, 6]],
    ['from a minute on', '2026-03-01T00:01:00.000Z', null, [2, 3, 4, 5, 6]],
    ['nothing', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', []],
  ])('of %s includes exactly its calls, with any grouping', async (_, from, to, expected) => {
    for (const groupBy of USAGE_GROUPS) expect(await callsIn(from, to, groupBy)).toEqual(expected)
  })

  test('has the same totals from minutes, hours and days', async () => {
    // Only the first splits days exactly, only the second hours: the others must be added up from finer rows.
    const wide = ['2026-02-01T00:00:00.000Z', '2026-02-01T05:00:00.000Z', '2026-02-01T05:05:00.000Z']
    for (const groupBy of USAGE_GROUPS) {
      const [days, hours, minutes] = await Promise.all(wide.map((from) => ask(from, null, groupBy)))
      expect(days?.length).toBeGreaterThan(0)
      expect(hours).toEqual(days)
      expect(minutes).toEqual(days)
    }
  })
})

describe('groups', () => {
  const all = (groupBy: UsageGroup) => ask('2026-02-01T00:00:00.000Z', null, groupBy)
  const brief = async (groupBy: UsageGroup) =>
    (await all(groupBy)).map((group) => [group.group, group.requests, group.failures])

  test('by alias include failed calls in the requests', async () => {
    expect(await all('alias')).toEqual([
      {
        group: 'svc/chat-cheap',
        subgroup: null,
        requests: '2',
        failures: '0',
        tokensIn: '20',
        tokensOut: '40',
        chargedMicros: '18',
      },
      {
        group: 'svc/chat-default',
        subgroup: null,
        requests: '6',
        failures: '1',
        tokensIn: '50',
        tokensOut: '100',
        chargedMicros: '109',
      },
    ])
  })

  test('by day and by hour are named by their start in UTC and sorted by it', async () => {
    expect(await brief('day')).toEqual([
      ['2026-02-28T00:00:00.000Z', '1', '0'],
      ['2026-03-01T00:00:00.000Z', '6', '1'],
      ['2026-03-02T00:00:00.000Z', '1', '0'],
    ])
    expect(await brief('hour')).toEqual([
      ['2026-02-28T23:00:00.000Z', '1', '0'],
      ['2026-03-01T00:00:00.000Z', '2', '0'],
      ['2026-03-01T01:00:00.000Z', '3', '1'],
      ['2026-03-01T23:00:00.000Z', '1', '0'],
      ['2026-03-02T00:00:00.000Z', '1', '0'],
    ])
  })

  test('do not depend on the time zone of the session', async () => {
    const query = { keyId, from: '2026-03-01T00:00:00.000Z', to: null, groupBy: ['day'] } as const
    const inUtc = await usageByGroup(models.database, query)
    const inLosAngeles = await models.database.transaction(async (sql) => {
      await sql.query("set local time zone 'America/Los_Angeles'")
      return usageByGroup(sql, query)
    })
    expect(inLosAngeles).toEqual(inUtc)
  })

  test('include one key only', async () => {
    expect(
      await usageByGroup(models.database, {
        keyId: randomUUID(),
        from: CALLS[0]?.finishedAt ?? '',
        to: null,
        groupBy: ['alias'],
      }),
    ).toEqual([])
  })
})

usageGroupCases({
  ranges: [['2026-02-14T05:07:00.000Z', '2026-03-17T21:43:00.000Z']],
  groups: [['day'], ['label', 'alias'], ['month', 'key']],
})

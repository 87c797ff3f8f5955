import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, failed, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { bucketOf, GRANULARITIES, type Granularity } from './callCounts.ts'
import { usage } from './projection.ts'

const companyId = randomUUID()
const keyId = randomUUID()
const rowsAfter = (...events: LedgerEvent[]) => [
  ...applyEvents(usage, history(streamName('ledger', companyId), ...events)).values(),
]
const only = (granularity: Granularity, rows: ReturnType<typeof rowsAfter>) =>
  rows.filter((row) => row.granularity === granularity)

describe('a bucket', () => {
  test.each([
    ['minute', '2026-03-01T23:59:00.000Z'],
    ['hour', '2026-03-01T23:00:00.000Z'],
    ['day', '2026-03-01T00:00:00.000Z'],
  ] as const)('of a %s begins where it began, up to its last millisecond', (granularity, begins) => {
    expect(bucketOf('2026-03-01T23:59:59.999Z', granularity)).toBe(begins)
    expect(bucketOf(begins, granularity)).toBe(begins)
  })
})

describe('a call', () => {
  test('counts in the minute, hour and day in which it finished', () => {
    const finishedAt = '2026-03-01T23:59:59.999Z'
    const admittedAt = '2026-03-01T22:00:00.000Z'
    const counts = { requests: '1', failures: '0', tokensIn: '10', tokensOut: '20', chargedMicros: '50' }
    expect(rowsAfter(charged(companyId, { keyId, admittedAt, finishedAt }))).toEqual(
      GRANULARITIES.map((granularity) => ({
        keyId,
        alias: 'svc/chat-default',
        granularity,
        bucket: bucketOf(finishedAt, granularity),
        companyId,
        ...counts,
      })),
    )
  })

  test('that failed counts as a request and a failure, without tokens', () => {
    const [row] = rowsAfter(charged(companyId, { keyId }), failed(companyId, { keyId }))
    expect(row).toMatchObject({
      requests: '2',
      failures: '1',
      tokensIn: '10',
      tokensOut: '20',
      chargedMicros: '50',
    })
  })

  test('that was reversed is subtracted from the minute in which it was charged', () => {
    const charge = charged(companyId, { keyId })
    const rows = rowsAfter(charge, reversed(charge, { reversedAt: '2026-03-01T10:09:00.000Z' }))
    expect(only('minute', rows)).toMatchObject([
      {
        bucket: '2026-03-01T10:00:00.000Z',
        requests: '1',
        failures: '1',
        tokensIn: '0',
        tokensOut: '0',
        chargedMicros: '0',
      },
    ])
  })

  test('of another key, alias or minute has its own row', () => {
    const rows = rowsAfter(
      charged(companyId, { keyId }),
      charged(companyId, { keyId: randomUUID() }),
      charged(companyId, { keyId, alias: 'svc/chat-cheap' }),
      charged(companyId, { keyId, finishedAt: '2026-03-01T10:01:00.000Z' }),
    )
    expect(only('minute', rows)).toHaveLength(4)
    expect(only('hour', rows)).toHaveLength(3)
  })
})

test('grants and refunds are not usage', () => {
  expect(rowsAfter(granted(companyId), refunded(companyId))).toEqual([])
})

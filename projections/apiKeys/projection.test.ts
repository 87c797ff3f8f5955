import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKeyEvent } from '../../contracts/events/apiKey.ts'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { minted, revoked } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { applyEvents } from '../projection.ts'
import { apiKeys } from './projection.ts'
import { keysToExpire } from './queries.ts'

const keyId = randomUUID()
const expired = (expiredAt: string): ApiKeyEvent => ({ type: 'ApiKeyExpired', data: { keyId, expiredAt } })
const rowAfter = (...events: ApiKeyEvent[]) => {
  const rows = [...applyEvents(apiKeys, history(streamName('apiKey', keyId), ...events)).values()]
  expect(rows).toHaveLength(1)
  return rows[0]
}

describe('a key', () => {
  test('is live after it was minted, with everything that admission needs', () => {
    const companyId = randomUUID()
    const rotatedFrom = randomUUID()
    const expiresAt = '2027-01-01T00:00:00.000Z'
    expect(rowAfter(minted(keyId, { companyId, rotatedFrom, expiresAt, models: null }))).toEqual({
      keyId,
      mintedBy: null,
      companyId,
      name: 'production',
      hash: 'ab'.repeat(32),
      hint: 'sk-tollgate-abcd',
      scopes: ['inference:chat', 'usage:read'],
      models: null,
      rpm: '600',
      tpm: '200000',
      status: 'LIVE',
      expiresAt,
      rotatedFrom,
      mintedAt: '2026-03-01T10:00:30.000Z',
      revokedAt: null,
      label: null,
      budgetMicros: null,
      budgetPeriod: null,
      budgetSetAt: null,
    })
  })

  test('stays live after a rotation until it is revoked', () => {
    const mint = minted(keyId)
    const rotated: ApiKeyEvent = {
      type: 'ApiKeyRotated',
      data: { keyId, siblingKeyId: randomUUID(), rotatedAt: '2026-03-02T00:00:00.000Z' },
    }
    expect(rowAfter(mint, rotated)).toEqual(rowAfter(mint))
  })

  test('has the changed settings, and keeps the rest', () => {
    const updatedAt = '2026-03-02T00:00:00.000Z'
    const budget = { amountMicros: '5000000', period: 'MONTH' } as const
    const mint = minted(keyId, { label: 'team-a', budget: { amountMicros: '1', period: 'DAY' } })
    const before = rowAfter(mint)
    expect(before).toMatchObject({ budgetMicros: '1', budgetSetAt: '2026-03-01T10:00:30.000Z' })
    const changes = { name: 'other', rpm: 7, models: null, label: null, budget }
    const after = { name: 'other', rpm: '7', models: null, label: null, budgetMicros: '5000000' }
    expect(rowAfter(mint, { type: 'ApiKeyUpdated', data: { keyId, ...changes, updatedAt } })).toEqual({
      ...before,
      ...after,
      budgetPeriod: 'MONTH',
      budgetSetAt: updatedAt,
    })
    expect(rowAfter(mint, { type: 'ApiKeyUpdated', data: { keyId, tpm: 3, updatedAt } })).toEqual({
      ...before,
      tpm: '3',
    })
  })

  test('has the time of its revocation', () => {
    const at = '2026-03-03T00:00:00.000Z'
    expect(rowAfter(minted(keyId), revoked(keyId, at))).toMatchObject({ status: 'REVOKED', revokedAt: at })
  })

  test('has no time of revocation if it expired', () => {
    const at = '2026-03-03T00:00:00.000Z'
    expect(rowAfter(minted(keyId, { expiresAt: at }), expired(at))).toMatchObject({
      status: 'EXPIRED',
      expiresAt: at,
      revokedAt: null,
    })
  })

  test('is revoked if it was revoked after it expired', () => {
    const at = '2026-03-03T00:00:00.000Z'
    expect(rowAfter(minted(keyId, { expiresAt: at }), expired(at), revoked(keyId))?.status).toBe('REVOKED')
  })

  test('that was never minted cannot change: a stream without its beginning is an error', () => {
    expect(() => rowAfter(revoked(keyId))).toThrow(/never minted/)
  })
})

describe('keys to expire', () => {
  let models: ReadModels
  beforeAll(async () => {
    models = await ReadModels.open()
  })
  afterAll(() => models.close())

  test('are live keys past their expiry, the longest overdue first', async () => {
    const [early, late, future, never, gone] = Array.from({ length: 5 }, () => randomUUID()) as [string, ...string[]]
    const mint = (id = '', expiresAt: string | null = null) =>
      models.append(streamName('apiKey', id), minted(id, { expiresAt }))
    await mint(late, '2026-04-02T00:00:00.000Z')
    await mint(early, '2026-04-01T00:00:00.000Z')
    await mint(future, '2026-06-01T00:00:00.000Z')
    await mint(never)
    await mint(gone, '2026-04-01T00:00:00.000Z')
    await models.append(streamName('apiKey', gone ?? ''), revoked(gone ?? ''))
    await models.rebuild(apiKeys)
    const due = await keysToExpire(models.database, '2026-04-02T00:00:00.000Z', 10)
    expect(due.map((row) => row.keyId)).toEqual([early, late])
    expect(await keysToExpire(models.database, '2026-04-02T00:00:00.000Z', 1)).toHaveLength(1)
  })
})

import { expect, test } from 'vitest'
import type { ApiKeyEvent } from '../../../contracts/events/apiKey.ts'
import { apiKeys } from '../../../projections/apiKeys/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { minted, revoked } from '../../../test/support/events/controlEvents.ts'
import { KeyView } from './keys.ts'

const DAY = { amountMicros: '5', period: 'DAY' } as const
const MONTH = { amountMicros: '7', period: 'MONTH' } as const
const HASHES = { a: 'aa'.repeat(32), b: 'bb'.repeat(32), c: 'cc'.repeat(32) }
const at = (second: number) => `2026-03-01T10:00:0${second}.000Z`

/** a was rotated into b, and b into c. */
const family: readonly ApiKeyEvent[] = [
  minted('a', { hash: HASHES.a, budget: DAY, mintedAt: at(1) }),
  minted('b', { hash: HASHES.b, rotatedFrom: 'a', mintedAt: at(2) }),
  minted('c', { hash: HASHES.c, rotatedFrom: 'b', mintedAt: at(3) }),
]

function followed(...events: readonly ApiKeyEvent[]): KeyView {
  const view = new KeyView()
  for (const event of events) view.apply(event)
  return view
}

function seeded(...events: readonly ApiKeyEvent[]): KeyView {
  const view = new KeyView()
  const rows = [...applyEvents(apiKeys, events as never[]).values()]
  view.seed(rows.toReversed())
  return view
}

const updated = (keyId: string, changes: object, updatedAt: string): ApiKeyEvent => ({
  type: 'ApiKeyUpdated',
  data: { keyId, ...changes, updatedAt },
})

test.each([
  ['followed', followed],
  ['seeded', seeded],
])('rotated keys share the budget that was set last, also with a revoked one: %s', (_, viewOf) => {
  const shared = { familyId: 'a', keyIds: ['a', 'b', 'c'] }
  const first = viewOf(...family, revoked('a'))
  expect(first.find(HASHES.a, 0)).toBeNull()
  expect(first.find(HASHES.c, 0)?.family).toMatchObject({ ...shared, budget: { amountMicros: 5n, period: 'DAY' } })

  const changed = viewOf(...family, updated('b', { budget: MONTH }, at(5)), updated('a', { rpm: 3 }, at(6)))
  expect(changed.find(HASHES.c, 0)?.family).toMatchObject({ ...shared, budget: { amountMicros: 7n, period: 'MONTH' } })
  expect(changed.find(HASHES.a, 0)?.rpm).toBe(3)

  const removed = viewOf(...family, updated('b', { budget: MONTH }, at(5)), updated('a', { budget: null }, at(6)))
  expect(removed.familyOf('c')?.budget).toBeNull()
})

test('a changed key has its new settings and keeps the others', () => {
  const [first] = family as [ApiKeyEvent]
  const changes = { scopes: ['jobs:read'], models: null, tpm: 9, expiresAt: at(9), label: 'team-a' }
  const key = followed(first, updated('a', changes, at(4))).find(HASHES.a, Date.parse(at(8)))
  expect(key).toMatchObject({ scopes: new Set(['jobs:read']), models: null, rpm: 600, tpm: 9, label: 'team-a' })
  expect(followed(first, updated('a', changes, at(4))).find(HASHES.a, Date.parse(at(9)))).toBeNull()
})

test('a change of a revoked key does not bring it back', () => {
  const [first] = family as [ApiKeyEvent]
  expect(followed(first, revoked('a'), updated('a', { rpm: 1 }, at(5))).find(HASHES.a, 0)).toBeNull()
})

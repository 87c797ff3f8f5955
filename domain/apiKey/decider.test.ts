import { describe, test } from 'vitest'
import type { ApiKeyEvent } from '../../contracts/events/apiKey.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { type ApiKeyCommand, apiKeyDecider, type KeySettings, type MintApiKey } from './decider.ts'

const given = specificationOf(apiKeyDecider)

const keyId = '33333333-3333-4333-8333-333333333333'
const siblingKeyId = '44444444-4444-4444-8444-444444444444'
const at = '2026-03-01T10:00:00.000Z'
const justBefore = '2026-03-31T23:59:59.999Z'
const expiresAt = '2026-04-01T00:00:00.000Z'

const mint = (changes: Partial<MintApiKey> = {}): MintApiKey => ({
  type: 'MintApiKey',
  keyId,
  companyId: '11111111-1111-4111-8111-111111111111',
  name: 'CI',
  hash: 'ab'.repeat(32),
  hint: 'tg_live_',
  scopes: ['inference:chat', 'usage:read'],
  models: ['svc/chat-default'],
  rpm: 600,
  tpm: 200_000,
  expiresAt: null,
  label: null,
  budget: null,
  rotatedFrom: null,
  at,
  ...changes,
})
const minted = (changes: Partial<MintApiKey> = {}): ApiKeyEvent => {
  const { type: _, at: mintedAt, scopes, models, budget, mintedBy = null, ...key } = mint(changes)
  const lists = { scopes: [...scopes], models: models && [...models] }
  return { type: 'ApiKeyMinted', data: { ...key, ...lists, budget: budget && stored(budget), mintedBy, mintedAt } }
}
const stored = ({ amountMicros, period }: NonNullable<MintApiKey['budget']>) => ({
  amountMicros: `${amountMicros}`,
  period,
})
const BUDGET = { amountMicros: 5_000_000n, period: 'MONTH' } as const
const update = (changes: Partial<KeySettings>, when = at): ApiKeyCommand => ({
  type: 'UpdateApiKey',
  keyId,
  changes,
  at: when,
})
const rotate = (when = at, sibling = siblingKeyId): ApiKeyCommand => ({
  type: 'RotateApiKey',
  keyId,
  siblingKeyId: sibling,
  at: when,
})
const revoke: ApiKeyCommand = { type: 'RevokeApiKey', keyId, at }
const expire = (when: string): ApiKeyCommand => ({ type: 'ExpireApiKey', keyId, at: when })

const rotated: ApiKeyEvent = { type: 'ApiKeyRotated', data: { keyId, siblingKeyId, rotatedAt: at } }
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { keyId, revokedAt: at } }
const expired: ApiKeyEvent = { type: 'ApiKeyExpired', data: { keyId, expiredAt: expiresAt } }

describe('minting a key', () => {
  test('keeps the requested settings, each scope and alias once', () => {
    given()
      .when(mint({ scopes: ['jobs:read', 'jobs:read'], models: ['svc/chat-cheap', 'svc/chat-cheap'] }))
      .then(minted({ scopes: ['jobs:read'], models: ['svc/chat-cheap'] }))
  })

  test('may list any alias, even one that has no provider yet', () => {
    given()
      .when(mint({ models: ['acme/fast:v1.2', 'constructor'] }))
      .then(minted({ models: ['acme/fast:v1.2', 'constructor'] }))
  })

  test('without a list of models allows every alias', () => {
    given()
      .when(mint({ models: null }))
      .then(minted({ models: null }))
  })

  test('is refused for an existing id', () => {
    given(minted()).when(mint()).thenThrows('CONFLICT')
    given(minted(), revoked).when(mint()).thenThrows('CONFLICT')
  })

  test.each<[string, Partial<MintApiKey>, RegExp]>([
    ['no scope, which would be a key for nothing', { scopes: [] }, /^scopes/],
    ['no alias, which must not be taken for all of them', { models: [] }, /^models/],
    ['a name that cannot be an alias', { models: ['svc/chat-default', 'GPT 5'] }, /"GPT 5" is not a model alias/],
    ['no name', { name: ' ' }, /name of a key/],
    ['a name that is too long', { name: 'x'.repeat(NAME_CHARS_MAX + 1) }, /name of a key/],
    ['no requests a minute', { rpm: 0 }, /^rpm/],
    ['half a request a minute', { rpm: 0.5 }, /^rpm/],
    ['endless requests a minute', { rpm: Number.POSITIVE_INFINITY }, /^rpm/],
    ['no tokens a minute', { tpm: 0 }, /^tpm/],
    ['tokens a minute that are no number', { tpm: Number.NaN }, /^tpm/],
    ['an end in the past', { expiresAt: '2026-03-01T09:59:59.999Z' }, /^expiresAt/],
    ['an end right now', { expiresAt: at }, /^expiresAt/],
  ])('is refused with %s', (_, changes, message) => {
    given().when(mint(changes)).thenThrows('INVALID', message)
  })

  test('accepts the smallest limits and the earliest expiry', () => {
    const least = { rpm: 1, tpm: 1, expiresAt: '2026-03-01T10:00:00.001Z' }
    given().when(mint(least)).then(minted(least))
  })
})

describe('rotating a key', () => {
  test('records its sibling and stays live, so that it can rotate again', () => {
    given(minted()).when(rotate()).then(rotated)
    const third = '55555555-5555-4555-8555-555555555555'
    given(minted(), rotated)
      .when(rotate(at, third))
      .then({ type: 'ApiKeyRotated', data: { keyId, siblingKeyId: third, rotatedAt: at } })
    given(minted(), rotated).when(revoke).then(revoked)
  })

  test('changes nothing for a sibling that is already recorded, whatever happened since', () => {
    given(minted(), rotated).when(rotate()).thenNothing()
    given(minted(), rotated, revoked).when(rotate()).thenNothing()
  })

  test('is refused once the key is revoked or expired', () => {
    given(minted(), revoked)
      .when(rotate())
      .thenThrows('CONFLICT', /is revoked/)
    given(minted({ expiresAt }), expired)
      .when(rotate(expiresAt))
      .thenThrows('CONFLICT', /is expired/)
  })

  test('is refused from the expiry on, even before the expiry is recorded', () => {
    given(minted({ expiresAt }))
      .when(rotate(justBefore))
      .then({ type: 'ApiKeyRotated', data: { keyId, siblingKeyId, rotatedAt: justBefore } })
    given(minted({ expiresAt }))
      .when(rotate(expiresAt))
      .thenThrows('CONFLICT', /is expired/)
  })

  test('of an unknown key is refused with NOT_FOUND', () => {
    given().when(rotate()).thenThrows('NOT_FOUND')
  })
})

describe('revoking a key', () => {
  test('revokes a live key', () => {
    given(minted()).when(revoke).then(revoked)
  })

  test('twice changes nothing', () => {
    given(minted(), revoked).when(revoke).thenNothing()
  })

  test('works on an expired key', () => {
    given(minted({ expiresAt }), expired).when(revoke).then(revoked)
  })

  test('of an unknown key is refused with NOT_FOUND', () => {
    given().when(revoke).thenThrows('NOT_FOUND')
  })
})

describe('expiring a key', () => {
  test('happens at the expiry time and not a millisecond before', () => {
    given(minted({ expiresAt })).when(expire(justBefore)).thenThrows('CONFLICT')
    given(minted({ expiresAt })).when(expire(expiresAt)).then(expired)
  })

  test('is dated to the expiry time, however late it is recorded', () => {
    given(minted({ expiresAt })).when(expire('2027-01-01T00:00:00.000Z')).then(expired)
  })

  test('is refused for a key without an expiry', () => {
    given(minted())
      .when(expire('2099-01-01T00:00:00.000Z'))
      .thenThrows('CONFLICT', /expires never/)
  })

  test('changes nothing on an expired or revoked key', () => {
    given(minted({ expiresAt }), expired).when(expire(expiresAt)).thenNothing()
    given(minted({ expiresAt }), revoked).when(expire(expiresAt)).thenNothing()
  })

  test('of an unknown key is refused with NOT_FOUND', () => {
    given().when(expire(expiresAt)).thenThrows('NOT_FOUND')
  })
})

describe('changing a key', () => {
  const updated = (changes: object): ApiKeyEvent => ({
    type: 'ApiKeyUpdated',
    data: { keyId, ...changes, updatedAt: at },
  })

  test('records the given settings that differ, validated as when minting', () => {
    given(minted())
      .when(update({ name: ' CI 2 ', rpm: 600, tpm: 7, models: null, label: 'team-a', budget: BUDGET }))
      .then(updated({ name: 'CI 2', tpm: 7, models: null, label: 'team-a', budget: stored(BUDGET) }))
  })

  test('to its current settings changes nothing, even after a change', () => {
    given(minted())
      .when(update({ name: 'CI', models: ['svc/chat-default'], expiresAt: null }))
      .then()
    given(minted(), updated({ rpm: 7 }))
      .when(update({ rpm: 7 }))
      .then()
    given(minted(), updated({ rpm: 7 }))
      .when(update({ rpm: 600 }))
      .then(updated({ rpm: 600 }))
  })

  test('to its current budget is recorded, because a sibling may have changed it', () => {
    given(minted({ budget: BUDGET }))
      .when(update({ budget: BUDGET }))
      .then(updated({ budget: stored(BUDGET) }))
    given(minted({ budget: BUDGET }))
      .when(update({ budget: null }))
      .then(updated({ budget: null }))
  })

  test('moves its expiry', () => {
    given(minted({ expiresAt }), updated({ expiresAt: null }))
      .when(rotate(expiresAt))
      .then({
        type: 'ApiKeyRotated',
        data: { keyId, siblingKeyId, rotatedAt: expiresAt },
      })
  })

  test.each<[string, Partial<KeySettings>]>([
    ['no scope', { scopes: [] }],
    ['a limit of 0', { tpm: 0 }],
    ['an expiry in the past', { expiresAt: at }],
    ['an empty name', { name: ' ' }],
    ['an empty label', { label: '' }],
    ['a label with a parenthesis', { label: '(other)' }],
    ['a label that is too long', { label: 'a'.repeat(65) }],
    ['a budget of nothing', { budget: { amountMicros: 0n, period: 'DAY' } }],
  ])('to %s is refused', (_, changes) => {
    given(minted()).when(update(changes)).thenThrows('INVALID')
  })

  test('that is revoked, expired or unknown is refused', () => {
    given(minted(), revoked)
      .when(update({ rpm: 1 }))
      .thenThrows('CONFLICT')
    given(minted({ expiresAt }))
      .when(update({ expiresAt: null }, expiresAt))
      .thenThrows('CONFLICT')
    given()
      .when(update({ rpm: 1 }))
      .thenThrows('NOT_FOUND')
  })
})

test('a rotated key has no budget of its own', () => {
  given()
    .when(mint({ rotatedFrom: siblingKeyId, budget: BUDGET }))
    .thenThrows('INVALID')
})

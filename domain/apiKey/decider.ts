import { ALIAS_RULE, isModelAlias } from '../../contracts/aliases.ts'
import type { ApiKeyEvent } from '../../contracts/events/apiKey.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import type { Scope } from '../../contracts/scopes.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireText } from '../text.ts'

type Minted = Extract<ApiKeyEvent, { type: 'ApiKeyMinted' }>['data']

export type ApiKeyState =
  | { readonly status: 'unknown' }
  | { readonly status: 'live' | 'revoked' | 'expired'; readonly minted: Minted; readonly siblings: readonly string[] }

export function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  if (event.type === 'ApiKeyMinted') return { status: 'live', minted: event.data, siblings: [] }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'ApiKeyRotated':
      return { ...state, siblings: [...state.siblings, event.data.siblingKeyId] }
    case 'ApiKeyRevoked':
      return { ...state, status: 'revoked' }
    case 'ApiKeyExpired':
      return { ...state, status: 'expired' }
    default:
      return unexpected(event)
  }
}

export type MintApiKey = {
  readonly type: 'MintApiKey'
  readonly keyId: string
  readonly companyId: string
  readonly name: string
  readonly hash: string
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly models: readonly string[] | null
  readonly rpm: number
  readonly tpm: number
  readonly expiresAt: string | null
  readonly rotatedFrom: string | null
  readonly at: string
}

export type ApiKeyCommand =
  | MintApiKey
  | { readonly type: 'RotateApiKey'; readonly keyId: string; readonly siblingKeyId: string; readonly at: string }
  | { readonly type: 'RevokeApiKey'; readonly keyId: string; readonly at: string }
  | { readonly type: 'ExpireApiKey'; readonly keyId: string; readonly at: string }

export function decide(command: ApiKeyCommand, state: ApiKeyState): ApiKeyEvent[] {
  switch (command.type) {
    case 'MintApiKey':
      if (state.status !== 'unknown') throw new Refusal('CONFLICT', `key ${command.keyId} exists already`)
      return [{ type: 'ApiKeyMinted', data: minted(command) }]
    case 'RotateApiKey': {
      const { keyId, siblingKeyId, at } = command
      const key = requireKnown(state, keyId)
      if (key.siblings.includes(siblingKeyId)) return []
      const status = statusAt(key, at)
      if (status !== 'live') throw new Refusal('CONFLICT', `key ${keyId} is ${status}: only a live key can be rotated`)
      return [{ type: 'ApiKeyRotated', data: { keyId, siblingKeyId, rotatedAt: at } }]
    }
    case 'RevokeApiKey': {
      const { keyId, at } = command
      // An expired key may be revoked too, because the admin wants to be sure that it is unusable.
      if (requireKnown(state, keyId).status === 'revoked') return []
      return [{ type: 'ApiKeyRevoked', data: { keyId, revokedAt: at } }]
    }
    case 'ExpireApiKey': {
      const { keyId, at } = command
      const key = requireKnown(state, keyId)
      if (key.status !== 'live') return []
      const { expiresAt } = key.minted
      if (expiresAt === null || at < expiresAt) {
        throw new Refusal('CONFLICT', `key ${keyId} expires ${expiresAt ?? 'never'}, not at ${at}`)
      }
      return [{ type: 'ApiKeyExpired', data: { keyId, expiredAt: expiresAt } }]
    }
    default:
      return unexpected(command)
  }
}

function minted(command: MintApiKey): Minted {
  const { type: _, at, ...key } = command
  if (key.scopes.length === 0) throw new Refusal('INVALID', 'scopes must name at least one scope')
  if (key.models?.length === 0)
    throw new Refusal('INVALID', 'models must name at least one alias, or be left out for all')
  const wrongAlias = key.models?.find((model) => !isModelAlias(model))
  if (wrongAlias !== undefined)
    throw new Refusal('INVALID', `models: ${JSON.stringify(wrongAlias)} is not a model alias, which ${ALIAS_RULE}`)
  if (!isLimit(key.rpm)) throw new Refusal('INVALID', 'rpm must be a whole number of at least 1')
  if (!isLimit(key.tpm)) throw new Refusal('INVALID', 'tpm must be a whole number of at least 1')
  if (key.expiresAt !== null && key.expiresAt <= at) throw new Refusal('INVALID', 'expiresAt must be in the future')
  return {
    ...key,
    name: requireText(key.name, 'the name of a key', NAME_CHARS_MAX),
    scopes: [...new Set(key.scopes)],
    models: key.models && [...new Set(key.models)],
    mintedAt: at,
  }
}

function isLimit(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

/** A key is expired from its expiry time on, also before ApiKeyExpired is stored. */
function statusAt(key: Exclude<ApiKeyState, { status: 'unknown' }>, at: string) {
  const { expiresAt } = key.minted
  return key.status === 'live' && expiresAt !== null && expiresAt <= at ? 'expired' : key.status
}

function requireKnown(state: ApiKeyState, keyId: string) {
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no key ${keyId}`)
  return state
}

export const apiKeyDecider: Decider<ApiKeyState, ApiKeyCommand, ApiKeyEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}

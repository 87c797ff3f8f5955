import { ALIAS_RULE, isModelAlias } from '../../contracts/aliases.ts'
import type { ApiKeyEvent, BudgetPeriod, KeyBudget } from '../../contracts/events/apiKey.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import type { Scope } from '../../contracts/scopes.ts'
import { isUsageLabel, USAGE_LABEL_RULE } from '../../contracts/usageLabel.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { requireText } from '../text.ts'

type Minted = Extract<ApiKeyEvent, { type: 'ApiKeyMinted' }>['data']
type Updated = Extract<ApiKeyEvent, { type: 'ApiKeyUpdated' }>['data']

export type ApiKeyState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'live' | 'revoked' | 'expired'
      /** As minted, with the changes since. */
      readonly minted: Minted
      readonly siblings: readonly string[]
    }

export function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  if (event.type === 'ApiKeyMinted') return { status: 'live', minted: event.data, siblings: [] }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'ApiKeyRotated':
      return { ...state, siblings: [...state.siblings, event.data.siblingKeyId] }
    case 'ApiKeyUpdated': {
      const { updatedAt: _, ...changes } = event.data
      return { ...state, minted: { ...state.minted, ...changes } as Minted }
    }
    case 'ApiKeyRevoked':
      return { ...state, status: 'revoked' }
    case 'ApiKeyExpired':
      return { ...state, status: 'expired' }
    default:
      return unexpected(event)
  }
}

/** The settings that an admin chooses for a key and may change later. */
export type KeySettings = {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly models: readonly string[] | null
  readonly rpm: number
  readonly tpm: number
  readonly expiresAt: string | null
  readonly label: string | null
  readonly budget: { readonly amountMicros: bigint; readonly period: BudgetPeriod } | null
}

export type MintApiKey = KeySettings & {
  readonly type: 'MintApiKey'
  readonly keyId: string
  readonly companyId: string
  readonly hash: string
  readonly hint: string
  readonly rotatedFrom: string | null
  /** The user who mints it; missing if it was not a user, for example the set-up of the demo. */
  readonly mintedBy?: string
  readonly at: string
}

export type ApiKeyCommand =
  | MintApiKey
  | {
      readonly type: 'UpdateApiKey'
      readonly keyId: string
      readonly changes: Partial<KeySettings>
      readonly at: string
    }
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
    case 'UpdateApiKey': {
      const { keyId, changes, at } = command
      const key = requireKnown(state, keyId)
      const status = statusAt(key, at)
      if (status !== 'live') throw new Refusal('CONFLICT', `key ${keyId} is ${status}: only a live key can be changed`)
      const changed = changedOf(key.minted, checked(changes, at))
      return changed === null ? [] : [{ type: 'ApiKeyUpdated', data: { keyId, ...changed, updatedAt: at } }]
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
  const { keyId, companyId, hash, hint, rotatedFrom, mintedBy = null, at } = command
  const { name, scopes, models, rpm, tpm, expiresAt, label, budget } = command
  if (rotatedFrom !== null && budget !== null) {
    throw new Refusal('INVALID', 'a key that was rotated from another shares the budget of that key')
  }
  const settings = checked({ name, scopes, models, rpm, tpm, expiresAt, label, budget }, at)
  return { keyId, companyId, hash, hint, rotatedFrom, ...settings, mintedBy, mintedAt: at }
}

type Checked = Pick<Minted, keyof KeySettings>

/** The settings as stored in events. Omitted ones stay omitted. */
function checked(settings: KeySettings, at: string): Checked
function checked(settings: Partial<KeySettings>, at: string): Partial<Checked>
function checked(settings: Partial<KeySettings>, at: string): Partial<Checked> {
  const { name, scopes, models, rpm, tpm, expiresAt, label, budget } = settings
  if (scopes?.length === 0) throw new Refusal('INVALID', 'scopes must name at least one scope')
  if (models?.length === 0) throw new Refusal('INVALID', 'models must name at least one alias, or be left out for all')
  const wrongAlias = models?.find((model) => !isModelAlias(model))
  if (wrongAlias !== undefined)
    throw new Refusal('INVALID', `models: ${JSON.stringify(wrongAlias)} is not a model alias, which ${ALIAS_RULE}`)
  if (rpm !== undefined && !isLimit(rpm)) throw new Refusal('INVALID', 'rpm must be a whole number of at least 1')
  if (tpm !== undefined && !isLimit(tpm)) throw new Refusal('INVALID', 'tpm must be a whole number of at least 1')
  if (expiresAt != null && expiresAt <= at) throw new Refusal('INVALID', 'expiresAt must be in the future')
  if (label != null && !isUsageLabel(label)) throw new Refusal('INVALID', `label must be ${USAGE_LABEL_RULE}`)
  return {
    ...(name !== undefined && { name: requireText(name, 'the name of a key', NAME_CHARS_MAX) }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    ...(models !== undefined && { models: models && [...new Set(models)] }),
    ...(rpm !== undefined && { rpm }),
    ...(tpm !== undefined && { tpm }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(label !== undefined && { label }),
    ...(budget !== undefined && { budget: budget && checkedBudget(budget) }),
  }
}

function checkedBudget({ amountMicros, period }: NonNullable<KeySettings['budget']>): KeyBudget {
  return { amountMicros: requireAmount(amountMicros, 'the budget of a key'), period }
}

/**
 * The settings that differ from the current ones; null if none do. A budget is always included, because another key of
 * the rotation may have changed it since.
 */
function changedOf(present: Minted, wanted: Partial<Checked>): Omit<Updated, 'keyId' | 'updatedAt'> | null {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => name === 'budget' || JSON.stringify(value) !== JSON.stringify(present[name as keyof Checked]),
  )
  return changed.length === 0 ? null : Object.fromEntries(changed)
}

function isLimit(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

/** A key is expired from its expiry time on, even before ApiKeyExpired is stored. */
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

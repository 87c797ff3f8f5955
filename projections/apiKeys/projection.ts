import type { ApiKeyEvent, BudgetPeriod, KeyBudget } from '../../contracts/events/apiKey.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type ApiKeyRow = {
  readonly key_id: string
  readonly company_id: string
  readonly name: string
  readonly hash: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly models: readonly string[] | null
  readonly rpm: string
  readonly tpm: string
  readonly status: 'LIVE' | 'REVOKED' | 'EXPIRED'
  readonly expires_at: string | null
  readonly rotated_from: string | null
  readonly minted_at: string
  readonly revoked_at: string | null
  readonly label: string | null
  /** The budget that was set through this key. All keys of a rotation have the one that was set last. */
  readonly budget_micros: string | null
  readonly budget_period: BudgetPeriod | null
  /** When the budget was set or removed; null in a key that was rotated from another, until it is changed there. */
  readonly budget_set_at: string | null
  /** The user who minted or rotated it; null if that is not known. */
  readonly minted_by: string | null
}

export const apiKeys: Projection<ApiKeyRow, ApiKeyEvent> = {
  name: 'api-keys',
  version: 3,
  categories: ['apiKey'],
  table: 'api_keys',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['key_id'],
  rowsOf: (event) => [{ key_id: event.data.keyId }],
  evolve: (row, event) => {
    if (event.type === 'ApiKeyMinted') return mintedRow(event.data)
    if (!row) throw new Error(`${event.type} of key ${event.data.keyId}, which was never minted`)
    switch (event.type) {
      case 'ApiKeyRotated':
        return row
      case 'ApiKeyUpdated':
        return updatedRow(row, event.data)
      case 'ApiKeyRevoked':
        return { ...row, status: 'REVOKED', revoked_at: event.data.revokedAt }
      case 'ApiKeyExpired':
        return { ...row, status: 'EXPIRED' }
      default:
        return unexpected(event)
    }
  },
}

function mintedRow(data: Extract<ApiKeyEvent, { type: 'ApiKeyMinted' }>['data']): ApiKeyRow {
  return {
    key_id: data.keyId,
    company_id: data.companyId,
    name: data.name,
    hash: data.hash,
    hint: data.hint,
    scopes: data.scopes,
    models: data.models,
    rpm: String(data.rpm),
    tpm: String(data.tpm),
    status: 'LIVE',
    expires_at: data.expiresAt,
    rotated_from: data.rotatedFrom,
    minted_at: data.mintedAt,
    revoked_at: null,
    label: data.label,
    ...budgetOf(data.budget, data.rotatedFrom === null ? data.mintedAt : null),
    minted_by: data.mintedBy,
  }
}

function updatedRow(row: ApiKeyRow, data: Extract<ApiKeyEvent, { type: 'ApiKeyUpdated' }>['data']): ApiKeyRow {
  const { name, scopes, models, rpm, tpm, expiresAt, label, budget, updatedAt } = data
  return {
    ...row,
    name: name ?? row.name,
    scopes: scopes ?? row.scopes,
    models: models === undefined ? row.models : models,
    rpm: rpm === undefined ? row.rpm : String(rpm),
    tpm: tpm === undefined ? row.tpm : String(tpm),
    expires_at: expiresAt === undefined ? row.expires_at : expiresAt,
    label: label === undefined ? row.label : label,
    ...(budget !== undefined && budgetOf(budget, updatedAt)),
  }
}

function budgetOf(budget: KeyBudget | null, setAt: string | null) {
  return {
    budget_micros: budget?.amountMicros ?? null,
    budget_period: budget?.period ?? null,
    budget_set_at: setAt,
  }
}

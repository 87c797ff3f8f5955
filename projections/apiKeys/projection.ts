import type { ApiKeyEvent, BudgetPeriod, KeyBudget } from '../../contracts/events/apiKey.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type ApiKeyRow = {
  readonly keyId: string
  readonly companyId: string
  readonly name: string
  readonly hash: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly models: readonly string[] | null
  readonly rpm: string
  readonly tpm: string
  readonly status: 'LIVE' | 'REVOKED' | 'EXPIRED'
  readonly expiresAt: string | null
  readonly rotatedFrom: string | null
  readonly mintedAt: string
  readonly revokedAt: string | null
  readonly label: string | null
  /** The budget that was set through this key. The one set last applies to all keys of a rotation. */
  readonly budgetMicros: string | null
  readonly budgetPeriod: BudgetPeriod | null
  /** When the budget was set or removed; null for a rotated key until it is changed there. */
  readonly budgetSetAt: string | null
  /** The user who minted or rotated it; null if unknown. */
  readonly mintedBy: string | null
}

export const apiKeys: Projection<ApiKeyRow, ApiKeyEvent> = {
  name: 'api-keys',
  version: 3,
  categories: ['apiKey'],
  table: 'api_keys',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['keyId'],
  rowsOf: (event) => [{ keyId: event.data.keyId }],
  evolve: (row, event) => {
    if (event.type === 'ApiKeyMinted') return mintedRow(event.data)
    if (!row) throw new Error(`${event.type} of key ${event.data.keyId}, which was never minted`)
    switch (event.type) {
      case 'ApiKeyRotated':
        return row
      case 'ApiKeyUpdated':
        return updatedRow(row, event.data)
      case 'ApiKeyRevoked':
        return { ...row, status: 'REVOKED', revokedAt: event.data.revokedAt }
      case 'ApiKeyExpired':
        return { ...row, status: 'EXPIRED' }
      default:
        return unexpected(event)
    }
  },
}

function mintedRow(data: Extract<ApiKeyEvent, { type: 'ApiKeyMinted' }>['data']): ApiKeyRow {
  const { keyId, companyId, name, hash, hint, scopes, models, expiresAt, rotatedFrom, mintedAt, label, mintedBy } = data
  const key = { keyId, companyId, name, hash, hint, scopes, models, expiresAt, rotatedFrom, mintedAt, label, mintedBy }
  const limits = { rpm: String(data.rpm), tpm: String(data.tpm) }
  const budget = budgetOf(data.budget, rotatedFrom === null ? mintedAt : null)
  return { ...key, ...limits, ...budget, status: 'LIVE', revokedAt: null }
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
    expiresAt: expiresAt === undefined ? row.expiresAt : expiresAt,
    label: label === undefined ? row.label : label,
    ...(budget !== undefined && budgetOf(budget, updatedAt)),
  }
}

function budgetOf(budget: KeyBudget | null, setAt: string | null) {
  return {
    budgetMicros: budget?.amountMicros ?? null,
    budgetPeriod: budget?.period ?? null,
    budgetSetAt: setAt,
  }
}

import type { ApiKeyEvent } from '../../../contracts/events/apiKey.ts'
import { unexpected } from '../../../domain/decider.ts'
import type { ApiKeyRow } from '../../../projections/apiKeys/projection.ts'

export type LiveKey = {
  readonly keyId: string
  readonly companyId: string
  readonly scopes: ReadonlySet<string>
  /** null: every alias. */
  readonly models: ReadonlySet<string> | null
  readonly rpm: number
  readonly tpm: number
  readonly expiresAtMs: number
}

/** Live keys by their hash. Revoked and expired keys are removed, so that they cannot be told from unknown ones. */
export class KeyView {
  readonly #byHash = new Map<string, LiveKey>()
  readonly #hashById = new Map<string, string>()

  find(hash: string, nowMs: number): LiveKey | null {
    const key = this.#byHash.get(hash)
    return key && nowMs < key.expiresAtMs ? key : null
  }

  seed(rows: readonly ApiKeyRow[]): void {
    for (const row of rows) {
      if (row.status !== 'LIVE') continue
      this.#add(row.hash, {
        keyId: row.key_id,
        companyId: row.company_id,
        scopes: new Set(row.scopes),
        models: row.models && new Set(row.models),
        rpm: Number(row.rpm),
        tpm: Number(row.tpm),
        expiresAtMs: endOf(row.expires_at),
      })
    }
  }

  apply(event: ApiKeyEvent): void {
    switch (event.type) {
      case 'ApiKeyMinted': {
        const { hash, keyId, companyId, scopes, models, rpm, tpm, expiresAt } = event.data
        const key = { keyId, companyId, scopes: new Set(scopes), models: models && new Set(models), rpm, tpm }
        this.#add(hash, { ...key, expiresAtMs: endOf(expiresAt) })
        return
      }
      case 'ApiKeyRevoked':
      case 'ApiKeyExpired': {
        const hash = this.#hashById.get(event.data.keyId)
        if (hash !== undefined) this.#byHash.delete(hash)
        this.#hashById.delete(event.data.keyId)
        return
      }
      case 'ApiKeyRotated':
        return
      default:
        unexpected(event)
    }
  }

  #add(hash: string, key: LiveKey): void {
    this.#byHash.set(hash, key)
    this.#hashById.set(key.keyId, hash)
  }
}

function endOf(expiresAt: string | null): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
}

import type { ApiKeyEvent, KeyBudget } from '../../../contracts/events/apiKey.ts'
import { unexpected } from '../../../domain/decider.ts'
import { budgetOf, familiesOf, lastSet } from '../../../projections/apiKeys/family.ts'
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
  /** The label of calls that bring none. */
  readonly label: string | null
  readonly family: KeyFamily
}

/** A key and all keys that were rotated from it: they share one budget. */
export type KeyFamily = {
  /** The first key, from which the others were rotated. */
  readonly familyId: string
  readonly companyId: string
  /** Also those that are revoked or expired, because what they have spent counts. */
  readonly keyIds: readonly string[]
  readonly budget: { readonly amountMicros: bigint; readonly period: KeyBudget['period'] } | null
}

/** Events come in the order of the store, so the budget that was set last counts. */
type Family = { -readonly [Field in keyof KeyFamily]: KeyFamily[Field] } & { keyIds: string[] }

/** Live keys by their hash. Revoked and expired keys are removed, so that they cannot be told from unknown ones. */
export class KeyView {
  readonly #byHash = new Map<string, LiveKey>()
  readonly #hashById = new Map<string, string>()
  readonly #families = new Map<string, Family>()

  find(hash: string, nowMs: number): LiveKey | null {
    const key = this.#byHash.get(hash)
    return key && nowMs < key.expiresAtMs ? key : null
  }

  /** Works for every key that was ever minted. */
  familyOf(keyId: string): KeyFamily | null {
    return this.#families.get(keyId) ?? null
  }

  seed(rows: readonly ApiKeyRow[]): void {
    for (const family of new Set(familiesOf(rows).values())) this.#seedFamily(family)
    for (const row of rows) {
      const family = this.#join(row.keyId, row.rotatedFrom, row.companyId)
      if (row.status !== 'LIVE') continue
      this.#add(row.hash, {
        keyId: row.keyId,
        companyId: row.companyId,
        scopes: new Set(row.scopes),
        models: row.models && new Set(row.models),
        rpm: Number(row.rpm),
        tpm: Number(row.tpm),
        expiresAtMs: endOf(row.expiresAt),
        label: row.label,
        family,
      })
    }
  }

  apply(event: ApiKeyEvent): void {
    switch (event.type) {
      case 'ApiKeyMinted': {
        const { hash, keyId, companyId, scopes, models, rpm, tpm, expiresAt, label, rotatedFrom } = event.data
        const family = this.#join(keyId, rotatedFrom, companyId)
        if (rotatedFrom === null) setBudget(family, event.data.budget)
        const key = { keyId, companyId, scopes: new Set(scopes), models: models && new Set(models), rpm, tpm }
        this.#add(hash, { ...key, expiresAtMs: endOf(expiresAt), label, family })
        return
      }
      case 'ApiKeyUpdated':
        this.#update(event.data)
        return
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

  #seedFamily(rows: readonly ApiKeyRow[]): void {
    for (const row of rows) this.#join(row.keyId, row.rotatedFrom, row.companyId)
    const last = lastSet(rows)
    const family = last && this.#families.get(last.keyId)
    if (family) setBudget(family, budgetOf(last))
  }

  #update(data: Extract<ApiKeyEvent, { type: 'ApiKeyUpdated' }>['data']): void {
    const { keyId, scopes, models, rpm, tpm, expiresAt, label, budget } = data
    const family = this.#families.get(keyId)
    if (family && budget !== undefined) setBudget(family, budget)
    const hash = this.#hashById.get(keyId)
    const key = hash === undefined ? undefined : this.#byHash.get(hash)
    if (hash === undefined || key === undefined) return
    this.#byHash.set(hash, {
      ...key,
      scopes: scopes === undefined ? key.scopes : new Set(scopes),
      models: models === undefined ? key.models : models && new Set(models),
      rpm: rpm ?? key.rpm,
      tpm: tpm ?? key.tpm,
      expiresAtMs: expiresAt === undefined ? key.expiresAtMs : endOf(expiresAt),
      label: label === undefined ? key.label : label,
    })
  }

  #join(keyId: string, rotatedFrom: string | null, companyId: string): Family {
    const known = this.#families.get(keyId)
    if (known) return known
    const parents = rotatedFrom === null ? undefined : this.#families.get(rotatedFrom)
    const family = parents ?? { familyId: keyId, companyId, keyIds: [], budget: null }
    family.keyIds.push(keyId)
    this.#families.set(keyId, family)
    return family
  }

  #add(hash: string, key: LiveKey): void {
    this.#byHash.set(hash, key)
    this.#hashById.set(key.keyId, hash)
  }
}

function setBudget(family: Family, budget: KeyBudget | null): void {
  family.budget = budget && { amountMicros: BigInt(budget.amountMicros), period: budget.period }
}

function endOf(expiresAt: string | null): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
}

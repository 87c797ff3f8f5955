import { randomBytes } from 'node:crypto'
import type { Sql } from '../../../projections/runner/ports.ts'
import type { ChainHead } from '../entry.ts'
import { SaltSecret } from '../saltSecret.ts'

/** Companies whose last entry is kept in memory. */
const CHAINS_MAX = 20_000
const SECRET_BYTES = 32

/** The end of a company's entries. */
export type Chain = {
  -readonly [Name in keyof ChainHead]: ChainHead[Name]
} & { readonly secret: SaltSecret }

/** The last entry and the secret of each company with recent entries. */
export class CompanyChains {
  readonly #schema: string
  readonly #createsSecrets: boolean
  /** The least recently used first. */
  readonly #chains = new Map<string, Chain>()

  constructor(schema: string, createsSecrets: boolean) {
    this.#schema = schema
    this.#createsSecrets = createsSecrets
  }

  /** The chains of these companies in a log of this size. A company without a secret has none. */
  async of(sql: Sql, companyIds: ReadonlySet<string>, size: number): Promise<ReadonlyMap<string, Chain>> {
    const unknown = [...companyIds].filter((id) => !this.#chains.has(id))
    const loaded = unknown.length === 0 ? new Map<string, Chain>() : await this.#load(sql, unknown, size)
    const wanted = new Map<string, Chain>()
    for (const id of companyIds) {
      const chain = this.#chains.get(id) ?? loaded.get(id)
      if (!chain) continue
      wanted.set(id, chain)
      this.#chains.delete(id)
      this.#chains.set(id, chain)
    }
    for (const id of this.#chains.keys()) {
      if (this.#chains.size <= CHAINS_MAX) break
      if (!wanted.has(id)) this.#chains.delete(id)
    }
    return wanted
  }

  async #load(sql: Sql, companyIds: readonly string[], size: number): Promise<Map<string, Chain>> {
    const rows = await sql.query<{ companyId: string; number: string; entry: Buffer }>(
      `select last.* from unnest($1::uuid[]) as wanted (id), lateral (
         select company_id, number, entry from ${this.#schema}.entries
         where company_id = wanted.id and index < $2 order by number desc limit 1) as last`,
      [companyIds, size],
    )
    const last = new Map(rows.map((row) => [row.companyId, row]))
    const secrets = await this.#secretsOf(sql, companyIds, (id) => !last.has(id))
    return new Map(
      [...secrets].map(([id, secret]) => {
        const row = last.get(id)
        return [
          id,
          { number: row ? Number(row.number) + 1 : 0, previous: row?.entry.toString('base64') ?? null, secret },
        ]
      }),
    )
  }

  /**
   * A company's secret is created with its first entry and never again: another one would not reproduce existing
   * entries. If two processes create it, both get the first one's.
   */
  async #secretsOf(
    sql: Sql,
    companyIds: readonly string[],
    isNew: (companyId: string) => boolean,
  ): Promise<Map<string, SaltSecret>> {
    const read = async () => {
      const rows = await sql.query<{ companyId: string; secret: Buffer }>(
        'select company_id, secret from platform.log_secrets where company_id = any($1::uuid[])',
        [companyIds],
      )
      return new Map(rows.map(({ companyId, secret }) => [companyId, new SaltSecret(secret)]))
    }
    const found = await read()
    const missing = companyIds.filter((id) => !found.has(id) && isNew(id))
    if (missing.length === 0 || !this.#createsSecrets) return found
    await sql.query(
      `insert into platform.log_secrets (company_id, secret) select * from unnest($1::uuid[], $2::bytea[])
       on conflict (company_id) do nothing`,
      [missing, missing.map(() => randomBytes(SECRET_BYTES))],
    )
    return read()
  }
}

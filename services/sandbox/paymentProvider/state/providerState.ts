import { PaymentApiError } from '../wire/paymentApiError.ts'
import type { Journal } from './journal.ts'
import { KINDS, type Kind, type Put, type Records } from './records.ts'

/** The limit for each kind of record. */
const RECORDS_MAX = 2_000

/** Kinds whose ids callers keep for good. At the limit new records are refused; old ones are never evicted. */
const NEVER_EVICTED: ReadonlySet<Kind> = new Set(['product', 'price', 'customer', 'subscription', 'paymentMethod'])

/** Where changes are written before they are answered. */
export type ChangeLog = Pick<Journal, 'isLong' | 'read' | 'append' | 'rewrite' | 'close'>

/**
 * The provider's records, in memory and in a journal that survives a restart. Records are replaced, never mutated. All
 * replacements of one request are one journal line, so a request takes effect as a whole or not at all.
 */
export class ProviderState {
  readonly #journal: ChangeLog
  readonly #recordsMax: number
  readonly #records = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as {
    readonly [K in Kind]: Map<string, Records[K]>
  }
  #change: { readonly puts: Put[]; readonly before: [kind: Kind, id: string, record: unknown][] } | null = null

  constructor(journal: ChangeLog, recordsMax = RECORDS_MAX) {
    this.#journal = journal
    this.#recordsMax = recordsMax
    journal.read((puts) => {
      for (const [kind, record] of puts) if (kind in this.#records) this.#load(kind, record)
    })
    journal.rewrite(this.#snapshot())
  }

  get<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    return this.#records[kind].get(id)
  }

  /** In the order of their creation. */
  all<K extends Kind>(kind: K): Records[K][] {
    return [...this.#records[kind].values()]
  }

  /** Runs the work as a transaction: if it throws, all its changes are rolled back. */
  transact<Result>(work: () => Result): Result {
    if (this.#change) throw new Error('transactions of the provider state cannot be nested')
    const change = { puts: [] as Put[], before: [] as [Kind, string, unknown][] }
    this.#change = change
    try {
      const result = work()
      if (change.puts.length > 0) this.#journal.append(change.puts)
      for (const [kind] of change.puts) this.#evictOldest(kind)
      if (this.#journal.isLong) this.#journal.rewrite(this.#snapshot())
      return result
    } catch (error) {
      for (const [kind, id, record] of change.before.reverse()) {
        const records = this.#records[kind] as Map<string, unknown>
        if (record === undefined) records.delete(id)
        else records.set(id, record)
      }
      throw error
    } finally {
      this.#change = null
    }
  }

  put<K extends Kind>(kind: K, record: Records[K]): Records[K] {
    if (!this.#change) throw new Error('the provider state can only be changed within a transaction')
    const records: Map<string, Records[K]> = this.#records[kind]
    if (NEVER_EVICTED.has(kind) && !records.has(record.id) && records.size >= this.#recordsMax) {
      throw new PaymentApiError({
        status: 429,
        type: 'invalid_request_error',
        code: 'rate_limit',
        message: `The sandbox keeps at most ${this.#recordsMax} records of each kind; it cannot store another ${kind}.`,
      })
    }
    this.#change.before.push([kind, record.id, records.get(record.id)])
    this.#change.puts.push([kind, record] as Put)
    records.set(record.id, record)
    return record
  }

  close(): void {
    this.#journal.close()
  }

  #load(kind: Kind, record: { readonly id: string }): void {
    ;(this.#records[kind] as Map<string, { readonly id: string }>).set(record.id, record)
    this.#evictOldest(kind)
  }

  #evictOldest(kind: Kind): void {
    const records = this.#records[kind] as Map<string, Records[Kind]>
    if (NEVER_EVICTED.has(kind) || records.size <= this.#recordsMax) return
    for (const [id, record] of records) {
      if (kind === 'delivery' && (record as Records['delivery']).status === 'pending') continue
      records.delete(id)
      return
    }
  }

  #snapshot(): Put[] {
    return KINDS.flatMap((kind) => this.all(kind).map((record) => [kind, record] as Put))
  }
}

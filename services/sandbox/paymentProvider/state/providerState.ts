import { PaymentApiError } from '../wire/paymentApiError.ts'
import type { Journal } from './journal.ts'
import { KINDS, type Kind, type Put, type Records } from './records.ts'

/** Records of each kind. */
const RECORDS_MAX = 2_000

/** Others hold on to the ids of these for good, so they are refused at the limit and never forgotten. */
const KEPT: ReadonlySet<Kind> = new Set(['product', 'price', 'customer', 'subscription'])

/**
 * Everything the provider knows: in memory, and in a journal so that a restart knows it too. Records are never changed,
 * only replaced, and all that one request replaces is one line of the journal: it happened, or it did not.
 */
export class ProviderState {
  readonly #journal: Journal
  readonly #recordsMax: number
  readonly #records = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as unknown as {
    readonly [K in Kind]: Map<string, Records[K]>
  }
  #change: { readonly puts: Put[]; readonly before: [kind: Kind, id: string, record: unknown][] } | null = null

  constructor(journal: Journal, recordsMax = RECORDS_MAX) {
    this.#journal = journal
    this.#recordsMax = recordsMax
    journal.read((puts) => {
      for (const [kind, record] of puts) if (kind in this.#records) this.#keep(kind, record)
    })
    journal.rewrite(this.#snapshot())
  }

  get<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    return this.#records[kind].get(id)
  }

  /** In the order in which they were made. */
  all<K extends Kind>(kind: K): Records[K][] {
    return [...this.#records[kind].values()]
  }

  /** Runs the work whole, or leaves no trace of it. */
  transact<Result>(work: () => Result): Result {
    if (this.#change) throw new Error('a change of the provider state within another')
    const change = { puts: [] as Put[], before: [] as [Kind, string, unknown][] }
    this.#change = change
    try {
      const result = work()
      if (change.puts.length > 0) this.#journal.append(change.puts)
      for (const [kind] of change.puts) this.#forgetOldest(kind)
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
    if (!this.#change) throw new Error('the provider state is changed outside of a transaction')
    const records: Map<string, Records[K]> = this.#records[kind]
    if (KEPT.has(kind) && !records.has(record.id) && records.size >= this.#recordsMax) {
      throw new PaymentApiError({
        status: 429,
        type: 'invalid_request_error',
        code: 'rate_limit',
        message: `The sandbox keeps ${this.#recordsMax} of each kind, and this would be one ${kind} more.`,
      })
    }
    this.#change.before.push([kind, record.id, records.get(record.id)])
    this.#change.puts.push([kind, record] as unknown as Put)
    records.set(record.id, record)
    return record
  }

  close(): void {
    this.#journal.close()
  }

  #keep(kind: Kind, record: { readonly id: string }): void {
    ;(this.#records[kind] as Map<string, { readonly id: string }>).set(record.id, record)
    this.#forgetOldest(kind)
  }

  #forgetOldest(kind: Kind): void {
    const records = this.#records[kind] as Map<string, Records[Kind]>
    if (KEPT.has(kind) || records.size <= this.#recordsMax) return
    for (const [id, record] of records) {
      if (kind === 'delivery' && (record as Records['delivery']).status === 'pending') continue
      records.delete(id)
      return
    }
  }

  #snapshot(): Put[] {
    return KINDS.flatMap((kind) => this.all(kind).map((record) => [kind, record] as unknown as Put))
  }
}

import type { EntryEvent } from './entry.ts'
import { findBookPlace, findPlace, type SignedTree } from './entryPlace.ts'
import {
  type EntryReceipt,
  entryReceipt,
  ReceiptFault,
  type ReceiptOptions,
  type ReceiptSources,
} from './entryReceipt.ts'
import { saveReceiptFault } from './faults.ts'

/** The version of the format, for checkers that do not know it. The first receipts have none. */
export const RECEIPT_VERSION = 2

/** The most recently requested books, each with up to half a megabyte. */
const BOOKS_KEPT_MAX = 100

/** The document that `check/check.mjs` checks. */
export type Receipt = { readonly version: typeof RECEIPT_VERSION } & EntryReceipt & {
    /**
     * The price book of a charge, proven in the same tree. null for other events, and while no checkpoint covers the
     * book: a receipt that is requested later has it.
     */
    readonly book: EntryReceipt | null
  }

type KeptBook = { readonly note: string; readonly book: EntryReceipt | null }

export class ReceiptReader {
  readonly #sources: ReceiptSources
  /** By company and book, in the tree of the checkpoint that was the latest one. */
  readonly #books = new Map<string, KeptBook>()

  constructor(sources: ReceiptSources) {
    this.#sources = sources
  }

  /** null if the company has no such event, or no checkpoint covers it yet. A returned receipt was verified. */
  read(companyId: string, eventId: string, options: ReceiptOptions = {}): Promise<Receipt | null> {
    return this.#notingFaults(async () => {
      const place = await findPlace(this.#sources.database, companyId, eventId)
      const entry = place && (await entryReceipt(this.#sources, place, options))
      if (!entry) return null
      return { version: RECEIPT_VERSION, ...entry, book: await this.#bookOf(companyId, entry.event, place) }
    })
  }

  /** The same without the price book. */
  readEntry(companyId: string, eventId: string, options: ReceiptOptions = {}): Promise<EntryReceipt | null> {
    return this.#notingFaults(async () => {
      const place = await findPlace(this.#sources.database, companyId, eventId)
      return place && entryReceipt(this.#sources, place, options)
    })
  }

  async #bookOf(companyId: string, { type, data }: EntryEvent, tree: SignedTree): Promise<EntryReceipt | null> {
    if (type !== 'CallCharged') return null
    const { bookId } = data.price as { readonly bookId: string }
    const key = `${companyId} ${bookId}`
    const kept = this.#books.get(key)
    this.#books.delete(key)
    const book = kept?.note === tree.note ? kept.book : await this.#readBook(companyId, bookId, tree)
    this.#books.set(key, { note: tree.note, book })
    const [oldest] = this.#books.keys()
    if (this.#books.size > BOOKS_KEPT_MAX && oldest !== undefined) this.#books.delete(oldest)
    return book
  }

  async #readBook(companyId: string, bookId: string, tree: SignedTree): Promise<EntryReceipt | null> {
    const place = await findBookPlace(this.#sources.database, companyId, bookId, tree)
    return place && entryReceipt(this.#sources, place)
  }

  async #notingFaults<Result>(read: () => Promise<Result>): Promise<Result> {
    try {
      return await read()
    } catch (error) {
      if (error instanceof ReceiptFault) await this.#noteFault(error)
      throw error
    }
  }

  /** Health endpoints report it from now on. */
  async #noteFault({ eventId, reason }: ReceiptFault): Promise<void> {
    const { database, log } = this.#sources
    await saveReceiptFault(database, eventId, reason).catch((error: unknown) => {
      log.error({ err: error, eventId }, 'a receipt that does not verify could not be reported')
    })
  }
}

import { type ChainHead, storedEntry, timeOf } from '../../../capabilities/transparency/entry.ts'
import { type Hash, leafHash } from '../../../capabilities/transparency/hashes.ts'
import { findEntry, type SealedEntry } from '../../../capabilities/transparency/reader.ts'
import type { SaltSecret } from '../../../capabilities/transparency/saltSecret.ts'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { PagedRows } from '../pagedRows.ts'
import { companyEntries, leafInTile } from './companyEntries.ts'
import type { AuditFaults } from './faults.ts'
import { base64 } from './state.ts'

export type ChainOptions = {
  readonly sql: Sql
  readonly companyId: string
  readonly stream: string
  readonly secret: SaltSecret
  /** The entries before the first event. */
  readonly head: ChainHead
  /** The first entry that is not compared; null: all are. */
  readonly untilNumber: number | null
  /** The size of the log in entries, and the position of the store up to which every event is sealed. */
  readonly size: number
  readonly sealedPosition: Position
  readonly idsAreUnique: boolean
  readonly faults: AuditFaults
  /** Entries in which the tree and the table of entries differ, by index. */
  readonly corrected: Map<number, Hash>
}

/** Whether an event is an entry of the log, is not sealed, or is a copy in the store. */
export type Sealing = 'sealed' | 'unsealed' | 'copy'

/** How many entries may wait for their events; further ones count as missing without being searched for later. */
const MISSING_MAX = 10_000

/**
 * Recomputes the entries of one company from its events and compares them with those of the log. Where they differ it
 * says which event was changed, removed, moved or added, and continues after it.
 */
export class ChainAudit {
  readonly #options: ChainOptions
  readonly #rows: PagedRows<SealedEntry>
  #number: number
  #previous: string | null
  /** Entries whose event did not come where expected. */
  readonly #missing = new Map<string, SealedEntry>()
  /** By how much the last revision differed from that in the log, and whether an added event explains another difference. */
  #shift = 0
  #isShifted = false

  constructor(options: ChainOptions) {
    this.#options = options
    const { sql, companyId, head, untilNumber, size } = options
    this.#rows = new PagedRows(companyEntries(sql, companyId, { from: head.number, until: untilNumber }, size))
    this.#number = head.number
    this.#previous = head.previous
  }

  get head(): ChainHead {
    return { number: this.#number, previous: this.#previous }
  }

  /**
   * Compares an event with its entry, usually synchronously: a promise per event would take as long as the rest. Events
   * come in the order of their revisions.
   */
  add(event: RecordedEvent): Sealing | Promise<Sealing> {
    if (this.#rows.isAtPageEnd) return this.#rows.turnPage().then(() => this.add(event))
    const row = this.#rows.next
    if (row?.eventId === event.id && row.number === this.#number) return this.#compare(event, row)
    return this.#realign(event, row)
  }

  /** After the last event: what is in the log but not in the store. */
  async end(): Promise<void> {
    for (let row = await this.#rows.take(); row; row = await this.#rows.take()) this.#miss(row)
    for (const row of this.#missing.values()) {
      this.#fault('the event is in the log and no longer in the store', row)
    }
  }

  #compare(event: RecordedEvent, row: SealedEntry): Sealing | Promise<Sealing> {
    const entry = storedEntry(event, this.head, this.#options.secret)
    this.#rows.advance()
    this.#number += 1
    this.#previous = entry.toString('base64')
    if (Buffer.compare(entry, row.entry) !== 0) return this.#differs(entry, row)
    if (timeOf(event) !== row.recordedAt) this.#fault('the row of the entry has another time than the event', row)
    const shift = event.revision - row.revision
    if (shift !== this.#shift && shift !== 0 && !this.#isShifted) {
      this.#fault(`the event was moved: it stands at revision ${event.revision} of the store`, row)
    }
    this.#shift = shift
    this.#isShifted = false
    return 'sealed'
  }

  /** The tile tells which of the two was changed. The entries after it were computed from the right one. */
  async #differs(entry: Hash, row: SealedEntry): Promise<Sealing> {
    const leaf = await leafInTile(this.#options.sql, row.index)
    if (leaf && Buffer.compare(leaf, leafHash(entry)) === 0) {
      this.#options.corrected.set(row.index, entry)
      this.#fault('the row of the entry was changed: the event is as it was logged', row)
    } else {
      this.#previous = base64(row.entry)
      this.#fault('the event was changed: it is not the one that was logged', row)
    }
    return 'sealed'
  }

  async #realign(event: RecordedEvent, row: SealedEntry | null): Promise<Sealing> {
    const { sql, companyId, size, sealedPosition, idsAreUnique } = this.#options
    const logged = await findEntry(sql, companyId, event.id)
    if (logged === null || logged.index >= size) {
      const isLater = event.position > sealedPosition && (row === null || row.number === this.#number)
      if (!isLater) this.#unlogged(event, row)
      return 'unsealed'
    }
    if (logged.number < (row?.number ?? this.#number)) {
      const isMoved = this.#missing.delete(event.id)
      if (isMoved) {
        this.#fault(`the event was moved: it stands at revision ${event.revision} of the store`, logged)
      } else if (idsAreUnique) {
        this.#fault(`the event stands in the store once more, at revision ${event.revision}`, logged)
      }
      return isMoved ? 'sealed' : 'copy'
    }
    for (let skipped = row; skipped && skipped.number < logged.number; skipped = this.#rows.next) {
      this.#miss(skipped)
      this.#rows.advance()
      if (this.#rows.isAtPageEnd) await this.#rows.turnPage()
    }
    const found = this.#rows.next
    if (found?.number !== logged.number) return 'unsealed'
    return this.#compare(event, found)
  }

  /** An event without an entry. If there is a gap in the entries, its entry was deleted. */
  #unlogged(event: RecordedEvent, row: SealedEntry | null): void {
    const { companyId, stream, secret } = this.#options
    const place = { companyId, stream, eventId: event.id, revision: event.revision }
    this.#isShifted = true
    if (row === null || row.number === this.#number) {
      this.#options.faults.add('the event is in the store and not in the log', place)
      return
    }
    this.#options.faults.add('the row of the entry is missing from the log', place)
    this.#previous = storedEntry(event, this.head, secret).toString('base64')
    this.#number += 1
  }

  #miss(row: SealedEntry): void {
    if (this.#missing.size < MISSING_MAX) this.#missing.set(row.eventId, row)
    else this.#fault('the event is in the log and no longer in its place in the store', row)
    this.#number = row.number + 1
    this.#previous = base64(row.entry)
  }

  #fault(what: string, { eventId, revision, index }: SealedEntry): void {
    const { companyId, stream, faults } = this.#options
    faults.add(what, { companyId, stream, eventId, revision, index })
  }
}

import type { Recorded, RecordedEvent } from '../../../contracts/envelope.ts'
import type { TransparencyEvent } from '../../../contracts/events/transparency.ts'
import type { Position } from '../../../contracts/position.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { UUID } from '../../../contracts/uuid.ts'
import type { EventBatch } from '../../../platform/eventStore/port.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { storedEntry, timeOf } from '../entry.ts'
import type { GrowingTree } from '../growingTree.ts'
import { leafHash } from '../hashes.ts'
import type { SealedEntry } from '../reader.ts'
import type { Tile } from '../tiles.ts'
import { CompanyChains } from './companyChains.ts'
import { EntryOrder, isRestored, nameOf, RESTORE_WINDOW_EVENTS } from './entryOrder.ts'
import { CheckpointFault, TransparencyFault } from './fault.ts'

/** The categories that a sealer reads. */
export const SEALED_CATEGORIES = ['ledger', 'log'] as const

const LEDGER_PREFIX = 'ledger-'

export type SignedEvent = Recorded<Extract<TransparencyEvent, { type: 'CheckpointSigned' }>>
export type RotatedEvent = Recorded<Extract<TransparencyEvent, { type: 'LogKeyRotated' }>>
export type OriginEvent = Recorded<Extract<TransparencyEvent, { type: 'LogOriginStarted' }>>

/** What a page of events adds to the log. */
export type TransparencyAddition = {
  /** The previous size of the log. */
  readonly from: number
  readonly entries: readonly SealedEntry[]
  /** The tiles that are new or have grown. */
  readonly tiles: readonly Tile[]
  /** Signed checkpoints that the log has now reached, to be compared with it. */
  readonly checkpoints: readonly SignedEvent[]
  /** A signed checkpoint for which the store lacks events, or an event that is missing in the log. */
  readonly fault: TransparencyFault | null
  readonly rotations: readonly RotatedEvent[]
  /** The last origin that was started. */
  readonly origin: OriginEvent | null
  /** Where to resume reading after a restart. */
  readonly position: Position
}

export type TransparencyBuilderOptions = {
  readonly schema: string
  readonly tree: GrowingTree
  readonly idsAreUnique: boolean
  readonly createsSecrets: boolean
  /** The log that is recomputed: nothing stored after it is read. Default: all events are sealed. */
  readonly sealed?: SealedBounds
}

/** A log as it was at one moment, and the position up to which all events were its entries. */
export type SealedBounds = { readonly size: number; readonly position: Position }

/**
 * Computes the log from the events of the store, page by page. It is ahead of its tables by what was not written yet,
 * so after a failed write it must be recreated.
 */
export class TransparencyBuilder {
  readonly tree: GrowingTree
  readonly #schema: string
  readonly #idsAreUnique: boolean
  readonly #order: EntryOrder
  readonly #chains: CompanyChains
  readonly #sealed: SealedBounds | undefined
  /** Restored checkpoints that came before their entries. */
  #waiting: { readonly event: SignedEvent; readonly after: Position; readonly size: number }[] = []

  constructor({ schema, tree, idsAreUnique, createsSecrets, sealed }: TransparencyBuilderOptions) {
    this.tree = tree
    this.#schema = schema
    this.#idsAreUnique = idsAreUnique
    this.#order = new EntryOrder(tree.size)
    this.#chains = new CompanyChains(schema, createsSecrets)
    this.#sealed = sealed
  }

  /** Whether every signed checkpoint that was read could be compared. */
  get isCompared(): boolean {
    return this.#waiting.length === 0
  }

  /** Whether a page may contain events that are already in the log, which is looked up in its tables. */
  looksUp({ events }: EventBatch): boolean {
    return events.some((event) => this.#isDoubtful(event))
  }

  #isDoubtful(event: RecordedEvent): boolean {
    return (!this.#idsAreUnique || isRestored(event)) && isLedgerEvent(event)
  }

  /** Adds a page of events as stored, which begins after `after`. `isEnd`: the store had no further restored events. */
  async add(
    sql: Sql,
    { events, position }: EventBatch,
    after: Position,
    isEnd: boolean,
  ): Promise<TransparencyAddition> {
    const sealed = await this.#alreadySealed(sql, events)
    const ready: RecordedEvent[] = []
    const copies = new Set<string>()
    const rotations: RotatedEvent[] = []
    let origin: OriginEvent | null = null
    let inserted: RecordedEvent | null = null
    const bounds = this.#sealed
    const isComplete = () => bounds !== undefined && this.tree.size + ready.length >= bounds.size
    for (const event of events) {
      if (bounds && event.position > bounds.position && isComplete()) break
      if (event.stream === CHECKPOINTS_STREAM) {
        if (event.type === 'LogOriginStarted') origin = event as OriginEvent
        else if (event.type === 'LogKeyRotated') rotations.push(event as RotatedEvent)
        else this.#waiting.push({ event: event as SignedEvent, after, size: this.tree.size })
      }
      if (!isLedgerEvent(event) || (sealed.size > 0 && this.#isSealed(event, sealed))) continue
      if (!this.#idsAreUnique) {
        if (copies.has(nameOf(event)) || this.#order.holds(event)) continue
        copies.add(nameOf(event))
      }
      if (isComplete()) {
        inserted ??= event
        continue
      }
      for (const next of this.#order.add(event, after)) ready.push(next)
    }
    if (isEnd && !isComplete()) ready.push(...this.#order.endOfRestore())
    if (bounds) ready.splice(bounds.size - this.tree.size)
    const from = this.tree.size
    const { entries, tiles } = await this.#seal(sql, ready)
    const checkpoints = this.#reached()
    const fault = this.tree.size === bounds?.size ? unlogged(inserted) : this.#unreachable(isEnd)
    const held = [this.#order.earliest, ...this.#waiting.map((waiting) => waiting.after)].filter(
      (each) => each !== null,
    )
    return { from, entries, tiles, checkpoints, fault, rotations, origin, position: held.toSorted()[0] ?? position }
  }

  #reached(): SignedEvent[] {
    const { size } = this.tree
    const reached = this.#waiting.filter(({ event }) => event.data.size <= size)
    this.#waiting = this.#waiting.filter(({ event }) => event.data.size > size)
    return reached.map(({ event }) => event)
  }

  /** A checkpoint follows its entries in the store; only a restore may change that, within its window. */
  #unreachable(isEnd: boolean): TransparencyFault | null {
    const { size } = this.tree
    const late = this.#waiting.find(
      (waiting) => isEnd || !isRestored(waiting.event) || size - waiting.size > RESTORE_WINDOW_EVENTS,
    )
    if (!late) return null
    const { size: signed, signedAt } = late.event.data
    return new CheckpointFault(
      `a checkpoint of ${signed} entries was signed at ${signedAt}, but the store has events for ${size} only: events ` +
        'were removed from it',
      late.event.id,
    )
  }

  /** The index of each event that is in the log, if the store may return one again: as a copy, or after a restart. */
  async #alreadySealed(sql: Sql, events: readonly RecordedEvent[]): Promise<ReadonlyMap<string, number>> {
    const doubtful = events.filter((event) => this.#isDoubtful(event))
    if (doubtful.length === 0) return new Map()
    const rows = await sql.query<{ eventId: string; companyId: string; index: string }>(
      // Looked up one by one by index: until the database has analyzed a fast-growing log, it would read all of it.
      `select known.* from unnest($1::uuid[]) as doubtful (id) cross join lateral (
         select event_id, company_id, index from ${this.#schema}.entries
         where event_id = doubtful.id and index < $2 offset 0) as known`,
      [doubtful.map(({ id }) => id), this.tree.size],
    )
    return new Map(rows.map((row) => [`${LEDGER_PREFIX}${row.companyId} ${row.eventId}`, Number(row.index)]))
  }

  #isSealed(event: RecordedEvent, sealed: ReadonlyMap<string, number>): boolean {
    const index = sealed.get(nameOf(event))
    if (index === undefined) return false
    const { logIndex = index } = event.metadata
    if (logIndex === index) return true
    throw new TransparencyFault(
      `event ${event.id} claims entry ${logIndex}, but it is entry ${index} of the log`,
      event.id,
    )
  }

  async #seal(sql: Sql, events: readonly RecordedEvent[]): Promise<{ entries: SealedEntry[]; tiles: Tile[] }> {
    if (events.length === 0) return { entries: [], tiles: [] }
    const chains = await this.#chains.of(sql, new Set(events.map(companyOf)), this.tree.size)
    const entries: SealedEntry[] = []
    const tiles: Tile[] = []
    for (const event of events) {
      const companyId = companyOf(event)
      const chain = chains.get(companyId)
      if (!chain) {
        throw new TransparencyFault(
          `event ${event.id} cannot be sealed or compared: the log secret of its company is missing in platform.log_secrets`,
          event.id,
        )
      }
      const entry = storedEntry(event, chain, chain.secret)
      const { id: eventId, revision } = event
      const recordedAt = timeOf(event)
      entries.push({ index: this.tree.size, entry, eventId, companyId, number: chain.number, revision, recordedAt })
      for (const tile of this.tree.append(leafHash(entry))) tiles.push(tile)
      chain.number += 1
      chain.previous = entry.toString('base64')
    }
    return { entries, tiles: [...tiles, ...this.tree.partialTiles()] }
  }
}

const unlogged = (event: RecordedEvent | null): TransparencyFault | null =>
  event &&
  new TransparencyFault(
    `event ${event.id} was inserted into the store: the log has later events, and not this one`,
    event.id,
  )

const companyOf = ({ stream }: RecordedEvent): string => stream.slice(LEDGER_PREFIX.length)

/** No version of this program writes streams that do not belong to a company. */
const isLedgerEvent = (event: RecordedEvent): boolean =>
  event.stream.startsWith(LEDGER_PREFIX) && UUID.test(companyOf(event))

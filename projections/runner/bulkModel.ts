import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { type Change, changesOf, type Projection, type Row, rowKey } from '../projection.ts'
import type { MarkedPosition } from './checkpoints.ts'
import { columnOf } from './columnNames.ts'
import type { ConnectionSql, Sql } from './ports.ts'
import { countedAlready, countedTable, LIVE_SCHEMA, loadRows, writeRows } from './tables.ts'
import { WrittenKeys } from './writtenKeys.ts'

const TO_ESCAPE = /[\\\t\n\r]/
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A row in memory. The table may contain an earlier state of it, if `isStored`. */
type Slot = { row: Row | undefined; isStored: boolean; isChanged: boolean }

/**
 * The ids of applied events: all stored ones, if known; those of the last step, which may not be stored yet; and those
 * of the next one.
 */
type Counting = { readonly written: WrittenKeys | null; storing: ReadonlySet<string>; pending: Set<string> }

/** What the events between two positions have changed, ready to be written. */
export type BulkStep = {
  readonly projection: Projection
  readonly partition: string
  readonly from: Position
  readonly to: Position
  /** The checkpoint must still have this mark: the rows were folded on top of what that transaction left. */
  readonly mark: string
  readonly events: number
  readonly fields: readonly string[]
  /** New rows, in the text format of `copy`. */
  readonly inserted: string
  readonly updated: readonly Row[]
  /** The ids of the events, as lines, if the store may hold an event twice. */
  readonly counted: string
}

export type BulkModelOptions = {
  /** Outside of any transaction. */
  readonly sql: Sql
  readonly projection: Projection
  readonly partition: string
  readonly idsAreUnique: boolean
}

/**
 * Folds many pages of events over the rows of a model before writing them: most rows are then written once, and the
 * database does not search for rows that cannot exist. Nothing is stored until a step is taken and its transaction
 * commits, and a step belongs to the checkpoint on which it was folded, so a process can end anywhere.
 */
export class BulkModel {
  readonly projection: Projection
  readonly #sql: Sql
  readonly #partition: string
  /** null if the store holds no event twice. */
  readonly #counting: Counting | null
  /** null for a model that already had rows, whose keys are looked up. */
  readonly #written: WrittenKeys | null
  #mark: string
  #stored: Position
  #position: Position
  #events = 0
  #fields: readonly string[] = []
  #inserted = ''
  /** Rows used since the last step, and those used for it. */
  #slots = new Map<string, Slot>()
  #olderSlots = new Map<string, Slot>()

  constructor({ sql, projection, partition, idsAreUnique }: BulkModelOptions, { position, mark }: MarkedPosition) {
    const isEmpty = position === BEGINNING
    this.#sql = sql
    this.projection = projection
    this.#partition = partition
    this.#counting = idsAreUnique
      ? null
      : { written: isEmpty ? new WrittenKeys() : null, storing: new Set(), pending: new Set() }
    this.#written = isEmpty && !projection.insertOnly ? new WrittenKeys() : null
    this.#mark = mark
    this.#stored = position
    this.#position = position
  }

  /** The position up to which events are folded. */
  get position(): Position {
    return this.#position
  }

  async fold(delivered: readonly RecordedEvent[], position: Position): Promise<void> {
    const events = this.#counting ? await this.#countOnce(delivered, this.#counting) : delivered
    if (this.projection.insertOnly) this.#insert(events)
    else await this.#change(events)
    this.#events += events.length
    this.#position = position
  }

  /** What was folded since the last step. Assumes that it will be stored: if it is not, the model must be discarded. */
  takeStep(): BulkStep {
    const { projection } = this
    const updated: Row[] = []
    for (const slot of this.#slots.values()) {
      if (!slot.isChanged || !slot.row) continue
      if (slot.isStored) updated.push(slot.row)
      else this.#addLine(slot.row)
      slot.isChanged = false
      slot.isStored = true
    }
    // The table does not show them before the step is stored, while the next pages are already being folded.
    this.#olderSlots = this.#slots
    this.#slots = new Map()
    const step = { from: this.#stored, to: this.#position, mark: this.#mark, events: this.#events }
    const rows = { fields: this.#fields, inserted: this.#inserted, updated, counted: this.#takeCounted() }
    this.#stored = this.#position
    this.#events = 0
    this.#inserted = ''
    return { projection, partition: this.#partition, ...step, ...rows }
  }

  #takeCounted(): string {
    const counting = this.#counting
    if (!counting) return ''
    counting.storing = counting.pending
    counting.pending = new Set()
    return [...counting.storing].map((id) => `${id}\n`).join('')
  }

  /** The transaction of the last step left this mark on the checkpoint. */
  stored(mark: string): void {
    this.#mark = mark
  }

  /** The events that the model has not applied yet. */
  async #countOnce(
    events: readonly RecordedEvent[],
    { written, storing, pending }: Counting,
  ): Promise<readonly RecordedEvent[]> {
    const once = events.filter(({ id }) => {
      const isNew = !pending.has(id) && !storing.has(id)
      if (isNew) pending.add(id)
      return isNew
    })
    const doubtful = once.filter(({ id }) => written === null || written.add(id)).map(({ id }) => id)
    if (doubtful.length === 0) return once
    const counted = await countedAlready(this.#sql, this.projection, LIVE_SCHEMA, doubtful)
    for (const id of counted) pending.delete(id)
    return once.filter(({ id }) => !counted.has(id))
  }

  #insert(events: readonly RecordedEvent[]): void {
    const { projection } = this
    for (const event of events) {
      for (const key of projection.rowsOf(event)) this.#addLine(projection.evolve(undefined, event, key))
    }
  }

  #addLine(row: Row): void {
    if (this.#fields.length === 0) this.#fields = Object.keys(row)
    this.#inserted += copyLine(this.#fields, row)
  }

  async #change(events: readonly RecordedEvent[]): Promise<void> {
    const { projection } = this
    const changes = changesOf(projection, events)
    const unknown = new Map<string, Row>()
    const slots = changes.map((change) => this.#slotOf(change, unknown))
    await this.#load(unknown)
    for (const [n, slot] of slots.entries()) {
      const { event, key } = changes[n] as Change
      slot.row = projection.evolve(slot.row, event, key)
      slot.isChanged = true
    }
  }

  /** Adds the key to the unknown ones if the row is needed and may be in the table. */
  #slotOf({ event, key, at }: Change, unknown: Map<string, Row>): Slot {
    const used = this.#slots.get(at)
    if (used) return used
    const older = this.#olderSlots.get(at)
    const mayBeStored = older !== undefined || this.#written === null || this.#written.add(at)
    const slot = older ?? { row: undefined, isStored: mayBeStored, isChanged: false }
    this.#slots.set(at, slot)
    if (!older && mayBeStored && !this.projection.creates?.has(event.type)) unknown.set(at, key)
    return slot
  }

  async #load(unknown: ReadonlyMap<string, Row>): Promise<void> {
    if (unknown.size === 0) return
    for (const at of unknown.keys()) {
      const slot = this.#slots.get(at)
      if (slot) slot.isStored = false
    }
    for (const row of await loadRows(this.#sql, this.projection, LIVE_SCHEMA, [...unknown.values()])) {
      const slot = this.#slots.get(rowKey(this.projection, row))
      if (!slot) throw new Error(`read model ${this.projection.name} returned a row that was not asked for`)
      slot.row = row
      slot.isStored = true
    }
  }
}

/** Writes the rows of a step, in the transaction of the caller. */
export async function writeStep(sql: ConnectionSql, step: BulkStep): Promise<void> {
  const { projection, fields, inserted, updated } = step
  if (inserted !== '') {
    await sql.copy(`copy ${LIVE_SCHEMA}.${projection.table} (${fields.map(columnOf).join(', ')}) from stdin`, inserted)
  }
  if (step.counted !== '') {
    await sql.copy(`copy ${LIVE_SCHEMA}.${countedTable(projection)} (event_id) from stdin`, step.counted)
  }
  if (updated.length > 0) await writeRows(sql, projection, LIVE_SCHEMA, updated)
}

/** A row in the text format of PostgreSQL's `copy`, including the line break; objects and lists become JSON. */
export function copyLine(fields: readonly string[], row: Row): string {
  let line = ''
  for (let n = 0; n < fields.length; n++) line += (n === 0 ? '' : '\t') + textOf(row[fields[n] as string])
  return `${line}\n`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return TO_ESCAPE.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => ESCAPED[found] ?? found) : text
}

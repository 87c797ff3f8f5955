import { createSecretKey } from 'node:crypto'
import { BEGINNING } from '../../contracts/position.ts'
import type { EventStore } from '../../services/platform/eventStore/port.ts'
import type { PostgresDatabase } from '../../services/platform/postgres/database.ts'
import { checkpointText } from '../../services/platform/transparency/checkpoint.ts'
import { entryOf, entrySource } from '../../services/platform/transparency/entry.ts'
import { GrowingTree } from '../../services/platform/transparency/growingTree.ts'
import { type Hash, leafHash, sha256 } from '../../services/platform/transparency/hashes.ts'
import { signNote } from '../../services/platform/transparency/note.ts'
import type { Tile } from '../../services/platform/transparency/tiles.ts'
import { KEY, ORIGIN } from './sampleLog.ts'

const secretOf = (companyId: string): Buffer => Buffer.from(sha256(`the log secret of ${companyId}`))

/** The tables of the log, filled from a store in its order by the pure functions alone. */
export class StoredLog {
  readonly #database: PostgresDatabase
  readonly #store: EventStore
  readonly #tree = new GrowingTree()
  readonly #chains = new Map<string, { number: number; previous: Hash | null }>()
  #position = BEGINNING
  #checkpoints = 0

  constructor(database: PostgresDatabase, store: EventStore) {
    this.#database = database
    this.#store = store
  }

  get size(): number {
    return this.#tree.size
  }

  /** Seals every ledger event that is new in the store. */
  async seal(): Promise<void> {
    for (;;) {
      const page = await this.#store.readAll({ after: this.#position, categories: ['ledger'], limit: 1_000 })
      const rows: (readonly unknown[])[] = []
      for (const event of page.events) {
        const companyId = event.stream.slice('ledger-'.length)
        const { number, previous } = this.#chains.get(companyId) ?? { number: 0, previous: null }
        const source = entrySource(event, { number, previous }, createSecretKey(secretOf(companyId)))
        const entry = entryOf(source)
        this.#chains.set(companyId, { number: number + 1, previous: entry })
        rows.push([this.size, entry, event.id, companyId, number, event.revision, source.event.time] as const)
        await this.#keep(this.#tree.append(leafHash(entry)))
      }
      await this.#database.query(
        `insert into ledger_log.entries (index, entry, event_id, company_id, number, revision, recorded_at)
         select * from unnest($1::bigint[], $2::bytea[], $3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::timestamptz[])`,
        [0, 1, 2, 3, 4, 5, 6].map((column) => rows.map((row) => row[column])),
      )
      if (page.position === this.#position) return
      this.#position = page.position
    }
  }

  /** Signs a checkpoint over all that is sealed. */
  async sign(): Promise<string> {
    await this.#keep(this.#tree.partialTiles())
    const [size, root] = [this.size, this.#tree.root()]
    for (const companyId of this.#chains.keys()) {
      const values = [companyId, secretOf(companyId)]
      await this.#database.query('insert into platform.log_secrets values ($1, $2) on conflict do nothing', values)
    }
    const note = signNote(checkpointText({ origin: ORIGIN, size, root }), [KEY])
    await this.#database.query('insert into ledger_log.checkpoints values ($1, $2, $3, $4, $5, now())', [
      this.#checkpoints,
      ...[ORIGIN, size, root, note],
    ])
    this.#checkpoints += 1
    return note
  }

  async #keep(tiles: readonly Tile[]): Promise<void> {
    for (const { level, index, hashes } of tiles) {
      await this.#database.query(
        `insert into ledger_log.tiles values ($1, $2, $3)
         on conflict (level, index) do update set hashes = excluded.hashes`,
        [level, index, hashes],
      )
    }
  }
}

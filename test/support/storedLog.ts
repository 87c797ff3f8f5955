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
      for (const event of page.events) {
        const companyId = event.stream.slice('ledger-'.length)
        const chain = this.#chains.get(companyId) ?? { number: 0, previous: null }
        const secret = Buffer.from(sha256(`the log secret of ${companyId}`))
        await this.#database.query('insert into platform.log_secrets values ($1, $2) on conflict do nothing', [
          companyId,
          secret,
        ])
        const source = entrySource(event, chain, createSecretKey(secret))
        const entry = entryOf(source)
        await this.#database.query(
          `insert into ledger_log.entries (index, entry, event_id, company_id, number, revision, recorded_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [this.size, entry, event.id, companyId, chain.number, event.revision, source.event.time],
        )
        this.#chains.set(companyId, { number: chain.number + 1, previous: entry })
        await this.#keep(this.#tree.append(leafHash(entry)))
      }
      if (page.position === this.#position) return
      this.#position = page.position
    }
  }

  /** Signs a checkpoint over all that is sealed. */
  async sign(): Promise<string> {
    await this.#keep(this.#tree.partialTiles())
    const [size, root] = [this.size, this.#tree.root()]
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

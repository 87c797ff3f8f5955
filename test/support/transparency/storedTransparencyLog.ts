import { checkpointText } from '../../../capabilities/transparency/checkpoint.ts'
import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import { signNote } from '../../../capabilities/transparency/note.ts'
import { SEALED_CATEGORIES, TransparencyBuilder } from '../../../capabilities/transparency/sealing/builder.ts'
import { insertAddition, SEALED_SCHEMA } from '../../../capabilities/transparency/sealing/tables.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { KEY, ORIGIN } from './sampleTransparencyLog.ts'

/** The tables of the log as a sealer fills them, but sealed and signed only when the test says so. */
export class StoredTransparencyLog {
  readonly #database: PostgresDatabase
  readonly #store: EventStore
  readonly #builder: TransparencyBuilder
  #position = BEGINNING
  #checkpoints = 0

  constructor(database: PostgresDatabase, store: EventStore) {
    this.#database = database
    this.#store = store
    const { idsAreUnique } = store
    this.#builder = new TransparencyBuilder({
      schema: SEALED_SCHEMA,
      tree: new GrowingTree(),
      idsAreUnique,
      createsSecrets: true,
    })
  }

  get size(): number {
    return this.#builder.tree.size
  }

  /** Seals every ledger event that is new in the store. */
  async seal(): Promise<void> {
    for (;;) {
      const after = this.#position
      const page = await this.#store.readAll({ after, categories: SEALED_CATEGORIES, limit: 1_000 })
      if (page.position === after) return
      const addition = await this.#builder.add(this.#database, page, after, true)
      await insertAddition(this.#database, SEALED_SCHEMA, addition, this.#tree())
      this.#position = page.position
    }
  }

  /** Seals like a sealer that also records how far it has come, which reactors wait for. */
  async sealToEnd(): Promise<void> {
    const head = await this.#store.head()
    await this.seal()
    await this.#database.query('update ledger_log.progress set position = $1', [head])
  }

  /** Signs a checkpoint over everything sealed. */
  async sign(): Promise<string> {
    const { size, root } = this.#tree()
    const note = signNote(checkpointText({ origin: ORIGIN, size, root }), [KEY])
    await this.#database.query('insert into ledger_log.checkpoints values ($1, $2, $3, $4, $5, now())', [
      this.#checkpoints,
      ...[ORIGIN, size, root, note],
    ])
    this.#checkpoints += 1
    return note
  }

  #tree() {
    return { size: this.size, root: this.#builder.tree.root() }
  }
}

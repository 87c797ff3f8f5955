import { createHmac, randomBytes } from 'node:crypto'
import type { NewEvent } from '../../contracts/envelope.ts'
import { EVENT_CATALOGUE } from '../../contracts/events/catalogue.ts'
import type { Database } from '../../projections/runner/ports.ts'
import { seal, sealBytes, subjectOf, unseal, unsealBytes } from './cipher.ts'

/** Replaces personal fields of an erased subject. */
export const ERASED = '[erased]'

/** The subject was erased, so nothing can be written about it. */
export class SubjectErased extends Error {
  constructor(subject: string) {
    super(`${subject} was erased: nothing can be written about it`)
    this.name = 'SubjectErased'
  }
}

/** Never erased, because the hashes by which addresses are found must not change. */
const LOOKUP_SUBJECT = 'installation'

/** The key of a subject in a backup, in base64; null if the subject was erased. */
export type SavedKey = { readonly subject: string; readonly key: string | null; readonly erasedAt: string | null }

/**
 * Personal fields are encrypted with the key of their subject before they reach the event store, and stay encrypted in
 * topics and read models; only code that displays them decrypts them. Keys are read each time and never cached, so that
 * an erasure takes effect in every process at once.
 */
export class PersonalData {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Encrypts the fields that the event's schema marks as personal. Throws for an erased subject. */
  async protect(event: NewEvent): Promise<NewEvent> {
    const { personal, subjectOf: subject } = EVENT_CATALOGUE[event.type] ?? { personal: [], subjectOf: null }
    const clear = personal.filter((name) => typeof event.data[name] === 'string')
    if (clear.length === 0 || !subject) return event
    const owner = subject(event.data)
    const key = await this.#keyFor(owner)
    const sealed = clear.map((name) => [name, seal(event.data[name] as string, owner, key)])
    return { ...event, data: { ...event.data, ...Object.fromEntries(sealed) } }
  }

  async reveal(stored: string): Promise<string> {
    return (await this.revealAll([stored]))[0] as string
  }

  /** In the same order. Unencrypted text is returned unchanged; the text of an erased subject as ERASED. */
  async revealAll(stored: readonly string[]): Promise<string[]> {
    const subjects = [...new Set(stored.map(subjectOf).filter((subject) => subject !== null))]
    if (subjects.length === 0) return [...stored]
    const rows = await this.#database.query<{ subject: string; key: Buffer | null }>(
      'select subject, key from platform.personal_keys where subject = any($1)',
      [subjects],
    )
    const keys = new Map(rows.map(({ subject, key }) => [subject, key]))
    return stored.map((text) => {
      const subject = subjectOf(text)
      if (subject === null) return text
      const key = keys.get(subject)
      return key ? unseal(text, key) : ERASED
    })
  }

  /** The rows with these columns decrypted; null stays null. */
  async revealRows<Row extends Record<string, unknown>>(
    rows: readonly Row[],
    ...columns: (keyof Row & string)[]
  ): Promise<Row[]> {
    const places = rows.flatMap((row, n) =>
      columns.filter((column) => typeof row[column] === 'string').map((column) => ({ n, column })),
    )
    const texts = await this.revealAll(places.map(({ n, column }) => rows[n]?.[column] as string))
    const revealed = rows.map((row) => ({ ...row }))
    for (const [at, { n, column }] of places.entries()) {
      Object.assign(revealed[n] as Row, { [column]: texts[at] })
    }
    return revealed
  }

  /** For data stored outside the event store. Throws for an erased subject. */
  async protectBytes(bytes: Buffer, subject: string): Promise<Buffer> {
    return sealBytes(bytes, subject, await this.#keyFor(subject))
  }

  /** null if the subject was erased. */
  async revealBytes(sealed: Buffer, subject: string): Promise<Buffer | null> {
    const [row] = await this.#database.query<{ key: Buffer | null }>(
      'select key from platform.personal_keys where subject = $1',
      [subject],
    )
    return row?.key ? unsealBytes(sealed, subject, row.key) : null
  }

  /** A keyed hash of a mail address, to find it without decrypting. Only this installation can compute it. */
  async lookupOf(address: string): Promise<string> {
    return createHmac('sha256', await this.#keyFor(LOOKUP_SUBJECT))
      .update(address.trim().toLowerCase())
      .digest('hex')
  }

  /** Irreversible. Returns false if the subject was already erased. A subject without a key is erased too. */
  async erase(subject: string): Promise<boolean> {
    const erased = await this.#database.query(
      `insert into platform.personal_keys (subject, key, erased_at) values ($1, null, now())
       on conflict (subject) do update set key = null, erased_at = now() where personal_keys.erased_at is null
       returning subject`,
      [subject],
    )
    return erased.length === 1
  }

  /** All keys, a page at a time, for a backup, which would be unreadable without them. */
  async *keyPages(rowsMax: number): AsyncIterable<SavedKey[]> {
    for (let after = ''; ; ) {
      const rows = await this.#database.query<{ subject: string; key: Buffer | null; erasedAt: string | null }>(
        'select subject, key, erased_at from platform.personal_keys where subject > $1 order by subject limit $2',
        [after, rowsMax],
      )
      const last = rows.at(-1)
      if (!last) return
      yield rows.map((row) => ({ ...row, key: row.key?.toString('base64') ?? null }))
      after = last.subject
    }
  }

  /** Restores keys from a backup. A subject that was erased in either place stays erased. */
  async restoreKeys(keys: readonly SavedKey[]): Promise<void> {
    await this.#database.query(
      `insert into platform.personal_keys (subject, key, erased_at)
       select subject, decode(key, 'base64'), erased_at
       from unnest($1::text[], $2::text[], $3::timestamptz[]) as saved (subject, key, erased_at)
       on conflict (subject) do update set key = excluded.key, erased_at = excluded.erased_at
       where personal_keys.erased_at is null`,
      [keys.map(({ subject }) => subject), keys.map(({ key }) => key), keys.map(({ erasedAt }) => erasedAt)],
    )
  }

  async #keyFor(subject: string): Promise<Buffer> {
    for (;;) {
      const [row] = await this.#database.query<{ key: Buffer | null }>(
        'select key from platform.personal_keys where subject = $1',
        [subject],
      )
      if (row?.key) return row.key
      if (row) throw new SubjectErased(subject)
      const [made] = await this.#database.query<{ key: Buffer }>(
        'insert into platform.personal_keys (subject, key) values ($1, $2) on conflict do nothing returning key',
        [subject, randomBytes(32)],
      )
      if (made) return made.key
    }
  }
}

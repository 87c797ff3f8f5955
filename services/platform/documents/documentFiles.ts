import type { Database } from '../../../projections/runner/ports.ts'
import type { PersonalData } from '../personal/personalData.ts'

/** As many files of the company wait to be read as may. */
export class TooManyFiles extends Error {
  constructor(max: number) {
    super(`${max} documents of yours wait to be read; send more when they are done`)
    this.name = 'TooManyFiles'
  }
}

export type StoredFile = {
  readonly documentId: string
  readonly companyId: string
  /** Under whose key it is sealed: who erases them erases it. */
  readonly subject: string
  readonly bytes: Buffer
}

/**
 * Files between their upload and their reading. They are larger than an event may be, and nobody needs them afterwards:
 * they stand in a table of their own, sealed, and go when they were read.
 */
export class DocumentFiles {
  readonly #database: Database
  readonly #personal: Pick<PersonalData, 'protectBytes' | 'revealBytes'>

  constructor(database: Database, personal: Pick<PersonalData, 'protectBytes' | 'revealBytes'>) {
    this.#database = database
    this.#personal = personal
  }

  async keep({ documentId, companyId, subject, bytes }: StoredFile, filesMax: number): Promise<void> {
    const sealed = await this.#personal.protectBytes(bytes, subject)
    await this.#database.transaction(async (sql) => {
      await sql.query('select pg_advisory_xact_lock(hashtext($1))', [`files of ${companyId}`])
      const kept = await sql.query(
        `insert into platform.document_files (document_id, company_id, subject, sealed)
         select $1, $2, $3, $4 where (select count(*) from platform.document_files where company_id = $2) < $5
         returning 1`,
        [documentId, companyId, subject, sealed, filesMax],
      )
      if (kept.length === 0) throw new TooManyFiles(filesMax)
    })
  }

  /** null: it was read and is gone, or its subject was erased. */
  async read(documentId: string): Promise<Buffer | null> {
    const [row] = await this.#database.query<{ subject: string; sealed: Buffer }>(
      'select subject, sealed from platform.document_files where document_id = $1',
      [documentId],
    )
    return row ? this.#personal.revealBytes(row.sealed, row.subject) : null
  }

  async forget(documentId: string): Promise<void> {
    await this.#database.query('delete from platform.document_files where document_id = $1', [documentId])
  }

  /** Those that no event speaks of, because their upload broke off, and those whose subject was erased. */
  async forgetLost(olderThanMs: number): Promise<void> {
    await this.#database.query(
      `delete from platform.document_files f
       where exists (select 1 from platform.personal_keys k where k.subject = f.subject and k.key is null)
         or (created_at < clock_timestamp() - $1 * interval '1 ms'
             and not exists (select 1 from read_models.documents d
                             where d.document_id = f.document_id and d.status = 'UPLOADED'))`,
      [olderThanMs],
    )
  }
}

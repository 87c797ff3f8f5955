import type { Database } from '../../projections/runner/ports.ts'
import type { PersonalData } from '../personalData/personalData.ts'

/** The company has reached its limit of files waiting to be read. */
export class TooManyFiles extends Error {
  constructor(max: number) {
    super(`${max} documents of this company are waiting to be read, which is the limit; upload more when they are done`)
    this.name = 'TooManyFiles'
  }
}

export type StoredFile = {
  readonly documentId: string
  readonly companyId: string
  /** The file is encrypted under the key of this subject, and erased with it. */
  readonly subject: string
  readonly bytes: Buffer
}

/**
 * Uploaded files until they are read. They are too large for an event and not needed afterwards, so they are stored
 * encrypted in their own table and deleted once read.
 */
export class DocumentFiles {
  readonly #database: Database
  readonly #personal: Pick<PersonalData, 'protectBytes' | 'revealBytes'>

  constructor(database: Database, personal: Pick<PersonalData, 'protectBytes' | 'revealBytes'>) {
    this.#database = database
    this.#personal = personal
  }

  async store({ documentId, companyId, subject, bytes }: StoredFile, filesMax: number): Promise<void> {
    const sealed = await this.#personal.protectBytes(bytes, subject)
    await this.#database.transaction(async (sql) => {
      await sql.query('select pg_advisory_xact_lock(hashtext($1))', [`files of ${companyId}`])
      const stored = await sql.query(
        `insert into platform.document_files (document_id, company_id, subject, sealed)
         select $1, $2, $3, $4 where (select count(*) from platform.document_files where company_id = $2) < $5
         returning 1`,
        [documentId, companyId, subject, sealed, filesMax],
      )
      if (stored.length === 0) throw new TooManyFiles(filesMax)
    })
  }

  /** null if the file was deleted or its subject was erased. */
  async read(documentId: string): Promise<Buffer | null> {
    const [row] = await this.#database.query<{ subject: string; sealed: Buffer }>(
      'select subject, sealed from platform.document_files where document_id = $1',
      [documentId],
    )
    return row ? this.#personal.revealBytes(row.sealed, row.subject) : null
  }

  /**
   * Records that the file is about to be read. Returns how many readings began and never ended, including this one:
   * such a file killed the process that read it.
   */
  async beginReading(documentId: string): Promise<number> {
    const [row] = await this.#database.query<{ readings: number }>(
      'update platform.document_files set readings = readings + 1 where document_id = $1 returning readings',
      [documentId],
    )
    return row?.readings ?? 1
  }

  /** Records that the reader survived, whatever the result. */
  async endReading(documentId: string): Promise<void> {
    await this.#database.query(
      'update platform.document_files set readings = readings - 1 where document_id = $1 and readings > 0',
      [documentId],
    )
  }

  async delete(documentId: string): Promise<void> {
    await this.#database.query('delete from platform.document_files where document_id = $1', [documentId])
  }

  /** Deletes files without an event, whose upload failed, and files whose subject was erased. */
  async deleteOrphaned(olderThanMs: number): Promise<void> {
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

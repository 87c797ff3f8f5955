import type { Sql } from '../../projections/runner/ports.ts'

export type RestoreMark = {
  readonly file: string
  readonly sha256: string
  /** The file of the newest published checkpoint, if given. */
  readonly lastCheckpoint: string | null
  /** The read models are left to the next start. */
  readonly readModelsLater: boolean
}

/** Marks the installation before the first event of a backup is written. A restore that continues replaces the mark. */
export async function markRestore(sql: Sql, mark: RestoreMark): Promise<void> {
  await sql.query(
    `insert into platform.unfinished_restore (file, sha256, last_checkpoint, read_models_later) values ($1, $2, $3, $4)
     on conflict (singleton) do update
     set file = excluded.file, sha256 = excluded.sha256, last_checkpoint = excluded.last_checkpoint,
       read_models_later = excluded.read_models_later`,
    [mark.file, mark.sha256, mark.lastCheckpoint, mark.readModelsLater],
  )
}

/** Called once all events and keys are in place, and read models are built or left empty for the next start. */
export async function clearRestoreMark(sql: Sql): Promise<void> {
  await sql.query('delete from platform.unfinished_restore')
}

/** Throws with the command that finishes the restore. Until then, part of the charges would look like all of them. */
export async function requireNoUnfinishedRestore(sql: Sql): Promise<void> {
  const [mark] = await sql.query<{ file: string; lastCheckpoint: string | null; readModelsLater: boolean }>(
    'select file, last_checkpoint, read_models_later from platform.unfinished_restore',
  )
  if (!mark) return
  const checkpoint = mark.lastCheckpoint === null ? '' : ` --last-checkpoint ${shellWord(mark.lastCheckpoint)}`
  const readModels = mark.readModelsLater ? ' --read-models later' : ''
  throw new Error(
    `the restore of ${mark.file} into this installation is not finished. Run this with the same settings to finish it: ` +
      `npm run restore -- ${shellWord(mark.file)}${checkpoint}${readModels}`,
  )
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

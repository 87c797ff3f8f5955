import type { Sql } from '../../../projections/runner/ports.ts'

/** Marks the installation before the first event of a backup is written. A restore that continues replaces the mark. */
export async function markRestore(sql: Sql, file: string, sha256: string): Promise<void> {
  await sql.query(
    `insert into platform.unfinished_restore (file, sha256) values ($1, $2)
     on conflict (singleton) do update set file = excluded.file, sha256 = excluded.sha256`,
    [file, sha256],
  )
}

/** Called once all events, keys and read models are in place. */
export async function clearRestoreMark(sql: Sql): Promise<void> {
  await sql.query('delete from platform.unfinished_restore')
}

/** Throws with the command that finishes the restore. A part of the charges would look like the whole. */
export async function requireNoUnfinishedRestore(sql: Sql): Promise<void> {
  const [mark] = await sql.query<{ file: string }>('select file from platform.unfinished_restore')
  if (!mark) return
  throw new Error(
    `the restore of ${mark.file} into this installation is not finished. Run this with the same settings to finish it: ` +
      `npm run restore -- ${shellWord(mark.file)}`,
  )
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

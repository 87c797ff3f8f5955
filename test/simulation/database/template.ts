import { readFile, rename, writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { removeOldTemplates } from './templateFile.ts'

/**
 * A plan serves all values of a statement. No machine crashes here, so nothing is written for one that does, and no other
 * session exists that would look at statistics.
 */
const SETTINGS = [
  ...['plan_cache_mode=force_generic_plan', 'jit=off'],
  ...['full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'synchronous_commit=off'],
  ...['track_counts=off', 'track_activities=off', 'shared_buffers=16MB'],
]
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])]

/** A database with the schema of this version, from a file that is written the first time. */
export async function openTemplate(file: string, prepare: (pglite: PGlite) => Promise<void>): Promise<PGlite> {
  const stored = await readFile(file).catch(() => null)
  if (stored !== null) return PGlite.create({ loadDataDir: new Blob([stored]), startParams: START_PARAMETERS })
  const pglite = await PGlite.create({ startParams: START_PARAMETERS })
  await prepare(pglite)
  // With these settings, the log of the database alone does not restore what is not in its files yet.
  await pglite.exec('checkpoint')
  const dump = await pglite.dumpDataDir('none')
  // Another process never sees half of it.
  await writeFile(`${file}.${process.pid}`, Buffer.from(await dump.arrayBuffer()))
  await rename(`${file}.${process.pid}`, file)
  removeOldTemplates()
  return pglite
}

import { readFile, rename, writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { removeOldTemplates } from './templateFile.ts'

/** A plan serves all values of a statement, and pages are not written twice: no machine crashes here. */
const SETTINGS = ['plan_cache_mode=force_generic_plan', 'full_page_writes=off', 'jit=off']
const START_PARAMETERS = [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])]

/** A database with the schema of this version, from a file that is written the first time. */
export async function openTemplate(file: string, prepare: (pglite: PGlite) => Promise<void>): Promise<PGlite> {
  const stored = await readFile(file).catch(() => null)
  if (stored !== null) return PGlite.create({ loadDataDir: new Blob([stored]), startParams: START_PARAMETERS })
  const pglite = await PGlite.create({ startParams: START_PARAMETERS })
  await prepare(pglite)
  const dump = await pglite.dumpDataDir('none')
  // Another process never sees half of it.
  await writeFile(`${file}.${process.pid}`, Buffer.from(await dump.arrayBuffer()))
  await rename(`${file}.${process.pid}`, file)
  removeOldTemplates()
  return pglite
}

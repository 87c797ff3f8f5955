import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HAS_MANY_RUNS } from '../../test/support/cases/propertyRuns.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { appendMixedHistory } from '../../test/support/events/mixedHistory.ts'
import { readBackup } from './readBackup.ts'
import { writeBackup } from './writeBackup.ts'

/** The gzip header contains nothing that matters: a time, and the system it was made on. */
const GZIP_HEADER_BYTES = 10
/** Prime, so that the steps do not follow any pattern of the file. */
const STEP_BYTES = HAS_MANY_RUNS ? 293 : 1_009

test('a backup is refused when any byte of it is changed that matters, or when it ends at any byte', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-backup-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'damaged.gz')
  const bytes = await aBackup(file)
  const intact = await readToEnd(file)
  for (let at = GZIP_HEADER_BYTES; at < bytes.length; at += STEP_BYTES) {
    const spoiled = Buffer.from(bytes)
    spoiled[at] = (spoiled[at] ?? 0) ^ 0x10
    await writeFile(file, spoiled)
    const read = await readToEnd(file).catch((error: Error) => error.message)
    // A few bits of compressed data have no meaning, such as the padding of a block: then the backup is the same.
    if (Array.isArray(read)) expect(read).toEqual(intact)
    else expect(read).toMatch(/is (damaged|altered|cut off|not a backup)/)
    await writeFile(file, bytes.subarray(0, at))
    await expect(readToEnd(file)).rejects.toThrow(/is cut off/)
  }
})

async function aBackup(file: string): Promise<Buffer> {
  const store = new MemoryEventStore()
  await appendMixedHistory(store)
  const { signal } = new AbortController()
  const createdAt = '2026-03-01T00:00:00.000Z'
  await writeBackup({ store, to: createWriteStream(file), createdAt, signal, onProgress: () => {} })
  return readFile(file)
}

async function readToEnd(file: string): Promise<unknown[]> {
  const read: unknown[] = []
  for await (const item of readBackup(file)) read.push(item)
  return read
}

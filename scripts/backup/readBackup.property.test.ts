import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
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

test('a backup is refused when any byte of it is changed, or when it ends at any byte', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-backup-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'damaged.gz')
  const bytes = await aBackup(file)
  const text = gunzipSync(bytes)
  for (let at = GZIP_HEADER_BYTES; at < bytes.length; at += STEP_BYTES) {
    const spoiled = Buffer.from(bytes)
    spoiled[at] = (spoiled[at] ?? 0) ^ 0x10
    if (!isGzipOf(text, spoiled)) {
      await writeFile(file, spoiled)
      await expect(readToEnd(file)).rejects.toThrow(/is (damaged|altered|cut off|not a backup)/)
    }
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

/** About one bit in five thousand has no meaning in compressed data, such as padding: the text is the same without it. */
function isGzipOf(text: Buffer, bytes: Buffer): boolean {
  try {
    return gunzipSync(bytes).equals(text)
  } catch {
    return false
  }
}

async function readToEnd(file: string): Promise<void> {
  for await (const _ of readBackup(file));
}

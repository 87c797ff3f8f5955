import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DocumentFiles } from '../../../../capabilities/documents/documentFiles.ts'
import type { DocumentReader } from '../../../../capabilities/documents/documentReader.ts'
import {
  BeyondLimits,
  ReadersBusy,
  ReadingCanceled,
  Unreadable,
} from '../../../../capabilities/documents/unreadable.ts'
import {
  openWorkerRunnerHarness,
  type WorkerRunnerHarness,
} from '../../../../test/support/harness/workerRunnerHarness.ts'
import { type FileToRead, textOf } from './readDocument.ts'

let bench: WorkerRunnerHarness
let files: DocumentFiles
beforeAll(async () => {
  bench = await openWorkerRunnerHarness()
  files = new DocumentFiles(bench.engines.database, bench.engines.personal)
})
afterAll(() => bench.close())

const { signal } = new AbortController()

async function stored(): Promise<FileToRead> {
  const documentId = randomUUID()
  const file = { documentId, companyId: randomUUID(), filename: 'cv.pdf', bytes: Buffer.from('%PDF- Ada') }
  await files.store({ ...file, subject: `document-${documentId}` }, 10)
  return file
}

/** A reader for which each reading ends like this, once it has begun. */
function readerThat(...endings: (string | Error)[]) {
  let readings = 0
  const read: DocumentReader['read'] = async (_kind, _bytes, { onBegin }) => {
    await onBegin?.()
    const ending = endings[readings++] ?? new Error('one reading too many')
    if (typeof ending === 'string') return ending
    throw ending
  }
  return { tools: { reader: { read }, files }, readings: () => readings }
}

test('a file that its reader died of is tried once more, and then unusable', async () => {
  const file = await stored()
  const { tools } = readerThat(new BeyondLimits(), new BeyondLimits())
  await expect(textOf(tools, file, signal)).rejects.toMatchObject({ name: 'Error', message: /died/ })
  await expect(textOf(tools, file, signal)).rejects.toMatchObject({
    name: 'UnusableDocument',
    message: /within its limits/,
  })
})

test('a file during whose readings this process died twice is not read again', async () => {
  const file = await stored()
  const never = readerThat()
  for (let death = 0; death < 2; death++) await files.beginReading(file.documentId)
  await expect(textOf(never.tools, file, signal)).rejects.toMatchObject({ name: 'UnusableDocument' })
  expect(never.readings()).toBe(0)
})

test('a reading that its reader survived does not count', async () => {
  const file = await stored()
  const { tools } = readerThat(
    ...['Ada', 'Ada', 'Ada', new ReadingCanceled(), new ReadersBusy('own'), new Error('a fault'), new BeyondLimits()],
    'Ada',
  )
  for (let n = 0; n < 3; n++) expect(await textOf(tools, file, signal)).toBe('Ada')
  await expect(textOf(tools, file, signal)).rejects.toMatchObject({ name: 'ReadingCanceled' })
  await expect(textOf(tools, file, signal)).rejects.toMatchObject({ name: 'NotNow' })
  await expect(textOf(tools, file, signal)).rejects.toThrow('a fault')
  await expect(textOf(tools, file, signal)).rejects.toThrow('died')
  expect(await textOf(tools, file, signal)).toBe('Ada')
})

test('a file is read for its company, and waits as long as that has to', async () => {
  const file = await stored()
  const companies: string[] = []
  const read: DocumentReader['read'] = async (_kind, _bytes, { companyId }) => {
    companies.push(companyId)
    throw new ReadersBusy('own', 7_000)
  }
  const waiting = { name: 'NotNow', retryAfterMs: 7_000 }
  await expect(textOf({ reader: { read }, files }, file, signal)).rejects.toMatchObject(waiting)
  expect(companies).toEqual([file.companyId])
})

test('a file without text is unusable at once', async () => {
  const { tools } = readerThat(new Unreadable('It is a scan.'), ' \n')
  await expect(textOf(tools, await stored(), signal)).rejects.toMatchObject({
    name: 'UnusableDocument',
    message: 'It is a scan.',
  })
  await expect(textOf(tools, await stored(), signal)).rejects.toMatchObject({
    name: 'UnusableDocument',
    message: /no text/,
  })
})

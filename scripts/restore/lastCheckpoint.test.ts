import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkpointText } from '../../capabilities/transparency/checkpoint.ts'
import { sha256 } from '../../capabilities/transparency/hashes.ts'
import { signNote } from '../../capabilities/transparency/note.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'
import { readLastCheckpoint } from './lastCheckpoint.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-checkpoint-'))
})
afterAll(() => rm(folder, { recursive: true }))

const checkpoint = { origin: 'log.test', size: 7, root: sha256('x') }
const key = signingKey('log.test', sha256('key'))

test('a checkpoint is read as it was downloaded', async () => {
  const file = join(folder, 'checkpoint')
  await writeFile(file, signNote(checkpointText(checkpoint), [key]))
  expect(await readLastCheckpoint(file)).toMatchObject({ origin: 'log.test', size: 7 })
})

test.for([
  ['a page of another server', '<html></html>\n'],
  ['a checkpoint without signatures', checkpointText(checkpoint)],
  ['another signed note', signNote('hello\n', [key])],
  ['an empty file', ''],
])('%s is refused with the name of the file', async ([, content = '']) => {
  const file = join(folder, 'other')
  await writeFile(file, content)
  await expect(readLastCheckpoint(file)).rejects.toThrow(`${file} is not a checkpoint, as /log/checkpoint answers it: `)
})

test('a file that cannot be read is named', async () => {
  await expect(readLastCheckpoint(join(folder, 'none'))).rejects.toThrow(`there is no file ${join(folder, 'none')}`)
  await expect(readLastCheckpoint(folder)).rejects.toThrow(`${folder} cannot be read (EISDIR)`)
})

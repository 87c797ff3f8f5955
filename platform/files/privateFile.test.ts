import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { readPrivateFile } from './privateFile.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-file-'))
  file = join(folder, 'demo.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = () => readPrivateFile(file, z.object({ apiKey: z.string(), companyId: z.uuid() }), 'delete it')

test('a missing file is null', async () => {
  expect(await read()).toBeNull()
})

test.each([
  ['', 'it is empty'],
  ['{"apiKey": "tg_secret', 'it is not valid JSON'],
  ['null', 'wrong or missing: the whole'],
  ['{"apiKey":"tg_secret","companyId":"tg_secret"}', 'wrong or missing: companyId'],
])(
  'the error about the damaged content %j is one line, with the file and the way out, without secrets',
  async (text, how) => {
    writeFileSync(file, text)
    await expect(read()).rejects.toThrow(new Error(`${file} is damaged (${how}): delete it`))
  },
)

test('a file that cannot be read does not count as missing', async () => {
  mkdirSync(file)
  await expect(read()).rejects.toThrow(`${file} cannot be read (EISDIR)`)
})

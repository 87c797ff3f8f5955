import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { partialPathOf, writePrivateFile } from './atomicFile.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-file-'))
  file = join(folder, 'demo.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a file is replaced, is readable by its owner only, and leaves no other file', async () => {
  writeFileSync(file, 'an earlier one', { mode: 0o644 })
  await writePrivateFile(file, { a: 1 })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: 1 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['demo.json'])
})

test.skipIf(!existsSync('/dev/full'))('a full disk is reported with the path, and the earlier file stays', async () => {
  writeFileSync(file, 'an earlier one')
  symlinkSync('/dev/full', partialPathOf(file))
  await expect(writePrivateFile(file, { a: 1 })).rejects.toThrow(
    `${file} cannot be written (ENOSPC): free some space there`,
  )
  expect(readFileSync(file, 'utf8')).toBe('an earlier one')
  expect(readdirSync(folder)).toEqual(['demo.json'])
})

test('partial files of killed processes are removed; those of running ones and other files stay', async () => {
  const ended = execFileSync('sh', ['-c', 'echo $$']).toString().trim()
  const kept = [`demo.json.${process.ppid}.partial`, 'demo.json.old', `other.json.${ended}.partial`]
  for (const name of [`demo.json.${ended}.partial`, ...kept]) writeFileSync(join(folder, name), 'half')
  await writePrivateFile(file, { a: 1 })
  expect(readdirSync(folder).sort()).toEqual(['demo.json', ...kept].sort())
})

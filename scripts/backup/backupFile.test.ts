import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../test/support/time/until.ts'
import { writeAtomically } from './backupFile.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'))
  file = join(folder, 'saved.gz')
})
afterEach(() => rmSync(folder, { recursive: true }))

const save = (text: string) => writeAtomically(file, (to) => pipeline(Readable.from([text]), to))

test('a killed backup leaves the earlier file, and the next one cleans up after it', async () => {
  await save('earlier')
  const script = `
    const { writeAtomically } = await import(${JSON.stringify(join(import.meta.dirname, 'backupFile.ts'))})
    setInterval(() => {}, 60_000)
    await writeAtomically(${JSON.stringify(file)}, (to) => new Promise(() => to.write('half')))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await until('it has begun to write', () => readdirSync(folder).length > 1)
  child.kill('SIGKILL')
  await exited
  expect(readFileSync(file, 'utf8')).toBe('earlier')
  expect(readdirSync(folder).sort()).toEqual(['saved.gz', `saved.gz.${child.pid}.partial`])
  await save('later')
  expect(readdirSync(folder)).toEqual(['saved.gz'])
  expect(readFileSync(file, 'utf8')).toBe('later')
})

test.skipIf(!existsSync('/dev/full'))('a full disk is reported with the path, and the earlier file stays', async () => {
  writeFileSync(file, 'earlier')
  symlinkSync('/dev/full', `${file}.${process.pid}.partial`)
  await expect(save('later')).rejects.toThrow(`${file} cannot be written (ENOSPC)`)
  expect(readdirSync(folder)).toEqual(['saved.gz'])
  expect(readFileSync(file, 'utf8')).toBe('earlier')
})

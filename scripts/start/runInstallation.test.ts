import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '..', '..', 'test', 'support', 'processes', 'talkativeInstallation.ts')

test('an installation whose output is no longer read continues, and drains on SIGTERM', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-output-'))
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(dataDir, { recursive: true })
  })
  const { stdout, stderr } = child
  await once(stdout as NonNullable<typeof stdout>, 'data')
  stdout?.destroy()
  stderr?.destroy()
  expect(await Promise.race([once(child, 'message'), ended])).toEqual(['EPIPE', undefined])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

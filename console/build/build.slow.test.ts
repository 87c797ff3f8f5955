import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a build whose backend has died ends, and leaves no console that looks finished', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-build-'))
  const program = join(import.meta.dirname, 'build.ts')
  const child = spawn(process.execPath, [program, join(folder, 'out')], { stdio: ['pipe', 'ignore', 'ignore'] })
  // As happens when the process at the other end dies, however that comes about.
  child.stdin.end()
  const [code] = await once(child, 'exit')
  expect(code).toBe(1)
  await expect(access(join(folder, 'out', 'index.html'))).rejects.toThrow()
  await rm(folder, { recursive: true, force: true })
})

import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepRecentBuilds } from './consoleBuild.ts'

const NOW_MS = Date.parse('2026-11-16T12:00:00Z')
const HOUR_MS = 3_600_000

let cache: string
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'tollgate-builds-'))
})
afterEach(() => rm(cache, { recursive: true, force: true }))

const build = async (name: string, ageMs: number) => {
  await mkdir(join(cache, name))
  const at = new Date(NOW_MS - ageMs)
  await utimes(join(cache, name), at, at)
}

test('builds that were not used for a week are removed, and those of killed processes after an hour', async () => {
  await build('used', 30 * 24 * HOUR_MS)
  await build('recent', 6 * 24 * HOUR_MS)
  await build('old', 8 * 24 * HOUR_MS)
  await build('used.4711', 2 * HOUR_MS)
  await build('used.4712', HOUR_MS / 2)
  await keepRecentBuilds(cache, 'used', NOW_MS)
  expect((await readdir(cache)).toSorted()).toEqual(['recent', 'used', 'used.4712'])
  // Using it makes it recent.
  await keepRecentBuilds(cache, 'recent', NOW_MS)
  expect((await readdir(cache)).toSorted()).toEqual(['recent', 'used', 'used.4712'])
})

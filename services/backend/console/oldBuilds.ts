import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const HOUR_MS = 3_600_000
/** A finished build that no backend has used for this long. Other checkouts may share the packages, and keep theirs. */
const UNUSED_MS_MAX = 7 * 24 * HOUR_MS
/** What a build left behind that was killed. */
const UNFINISHED_MS_MAX = HOUR_MS

/** Removes old builds from a cache, and marks one as used. */
export async function keepRecentBuilds(cache: string, used: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  await utimes(join(cache, used), now, now)
  for (const name of await readdir(cache)) {
    const ageMs = nowMs - (await stat(join(cache, name))).mtimeMs
    const ageMsMax = name.includes('.') ? UNFINISHED_MS_MAX : UNUSED_MS_MAX
    if (name !== used && ageMs > ageMsMax) await rm(join(cache, name), { recursive: true, force: true })
  }
}

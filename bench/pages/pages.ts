import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pace } from '../benchCommand.ts'
import { atMost, type Figure, pairedFigure } from '../figure.ts'
import { type LongInstallation, prepareLongInstallation, withLongInstallation } from './longInstallation.ts'
import { openMs } from './openPage.ts'
import { CONSOLE_PAGES, type ConsolePage, requireEveryQuery } from './pageOperations.ts'

const CALLS = { few: 10_000, many: 1_000_000 }
const SHORT_CALLS = { few: 2_000, many: 50_000 }
const ROUNDS = 31
const WARM_UP_ROUNDS = 3
/** As a multiple of the time with few calls. */
const RATIO_MAX = 3

/** Compares how long the data of each page takes with many calls and with few. */
export function benchPages({ isShort, dataDir = null }: Pace): Promise<Figure[]> {
  requireEveryQuery()
  const { few, many } = isShort ? SHORT_CALLS : CALLS
  return withDataFolder(dataDir, (folder) =>
    withLongInstallation(folder, few, (short) =>
      withLongInstallation(folder, many, async (long) => {
        const figures: Figure[] = []
        for (const page of CONSOLE_PAGES) figures.push(await benchPage(page, short, long, many))
        return figures
      }),
    ),
  )
}

/** Creates the installations that are measured later. */
export async function preparePages({ isShort }: Pace, folder: string): Promise<void> {
  const { few, many } = isShort ? SHORT_CALLS : CALLS
  for (const calls of [few, many]) await prepareLongInstallation(folder, calls)
}

/** The requested folder, or one that is deleted afterwards. */
async function withDataFolder<Result>(
  givenFolder: string | null,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = givenFolder ?? (await mkdtemp(join(tmpdir(), 'tollgate-bench-pages-')))
  try {
    return await work(folder)
  } finally {
    if (givenFolder === null) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function benchPage(
  page: ConsolePage,
  short: LongInstallation,
  long: LongInstallation,
  calls: number,
): Promise<Figure> {
  const times: number[] = []
  const references: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const reference = await openMs(page, short)
    const ms = await openMs(page, long)
    if (round < 0) continue
    references.push(reference)
    times.push(ms)
  }
  return atMost(
    pairedFigure(`${page.name} with ${calls.toLocaleString('en')} calls`, 'ms', times, references),
    RATIO_MAX,
  )
}

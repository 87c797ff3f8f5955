import type { Installation } from '../../capabilities/installation.ts'
import type { Pace } from '../benchCommand.ts'
import { type Figure, pairedFigure } from '../figure.ts'
import { forgetTransparencyLog, sealUntil } from './sealedTransparencyLog.ts'

/** Short rounds, so that a slow spell of the machine affects both sides of a round. */
const ROUNDS = 9
const SHORT_ROUNDS = 3
const RATIO_MIN = 0.2
const PAGE_ROWS = 5_000
const BARE = `select position, stream, revision, event_id, type, data, metadata, recorded_at from event_store.events
  where position > $1 order by position limit ${PAGE_ROWS}`

/** Entries per second that a sealer adds to an empty log, compared with a bare read of the same events before and after. */
export async function benchSealing(engines: Installation, entries: number, { isShort }: Pace): Promise<Figure> {
  const sealed: number[] = []
  const read: number[] = []
  const bare = () => perSecond(entries, () => readBare(engines))
  // The first read finds the database caches cold.
  await bare()
  for (let round = 0; round < (isShort ? SHORT_ROUNDS : ROUNDS); round++) {
    await forgetTransparencyLog(engines)
    const before = await bare()
    sealed.push(await perSecond(entries, async () => void (await sealUntil(engines, { entries, signed: false }))))
    read.push((before + (await bare())) / 2)
  }
  // A short log is sealed before the sealer has warmed up.
  const ratioMin = isShort ? undefined : RATIO_MIN
  return pairedFigure(`sealed entries, ${entries.toLocaleString('en')} of them`, 'entries/s', sealed, read, ratioMin)
}

async function readBare({ database }: Installation): Promise<void> {
  for (let after = '0'; ; ) {
    const rows = await database.query<{ position: string }>(BARE, [after])
    const last = rows.at(-1)
    if (!last) return
    after = last.position
  }
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return count / ((performance.now() - began) / 1_000)
}

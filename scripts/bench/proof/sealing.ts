import type { Engines } from '../../../services/platform/engines.ts'
import type { Pace } from '../benchCommand.ts'
import { type Figure, pairedFigure } from '../figure.ts'
import { forgetLog, sealUntil } from './sealedLog.ts'

const ROUNDS = 3
const RATIO_MIN = 0.2
const PAGE_ROWS = 5_000
const BARE = `select position, stream, revision, event_id, type, data, metadata, recorded_at from event_store.events
  where position > $1 order by position limit ${PAGE_ROWS}`

/** Entries that a sealer adds to an empty log in a second, beside a bare read of the same events. */
export async function benchSealing(engines: Engines, entries: number, { isShort }: Pace): Promise<Figure> {
  const sealed: number[] = []
  const read: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    read.push(await perSecond(entries, () => readBare(engines)))
    await forgetLog(engines)
    sealed.push(await perSecond(entries, () => sealUntil(engines, { entries, signed: false })))
  }
  // A short log is sealed before the sealer has warmed up.
  const ratioMin = isShort ? undefined : RATIO_MIN
  return pairedFigure(`sealed entries, ${entries.toLocaleString('en')} of them`, 'entries/s', sealed, read, ratioMin)
}

async function readBare({ database }: Engines): Promise<void> {
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

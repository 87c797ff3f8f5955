import type { Installation } from '../../capabilities/installation.ts'
import { boundaryAt } from '../../capabilities/statements/ledgerBoundary.ts'
import { streamName } from '../../contracts/streams.ts'
import { ledgerBlocks } from '../../projections/ledgerBlocks/projection.ts'
import { ledgerParts } from '../../projections/ledgerParts/projection.ts'
import type { Projection } from '../../projections/projection.ts'
import { type Measured, measuredAlone } from '../audit/measured.ts'
import type { Pace } from '../benchCommand.ts'
import { withBenchEngines } from '../benchDatabase.ts'
import { atMost, type Figure, limitFigure, median, pairedFigure, plainFigure } from '../figure.ts'
import { fillLedgers } from '../longLedger.ts'

const ROUNDS = 3
/** As a multiple of a bare read of the same rows. */
const RATIO_MAX = 2.5
/** How much more memory a long statement may take than a short one: the heap grows until it is worth collecting. */
const MEMORY_GROWTH_MIB_MAX = 64
const MOMENTS = 50
const MOMENT_MS_MAX = 100

/** Compares a statement of a long ledger as CSV with a bare read of the same rows, each in its own process. */
export function benchStatement({ isShort }: Pace): Promise<Figure[]> {
  return withBenchEngines(async (engines) => {
    const { url } = engines.database
    const ledgers = await fillLedgers(engines, { isShort }, [ledgerBlocks, ledgerParts] as unknown as Projection[])
    const { short, shortEntries, long, longEntries: events } = ledgers
    const bare: Measured[] = []
    const statements: Measured[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await measuredAlone('../statement/bareRead.ts', url, long))
      statements.push(await measuredAlone('../statement/csv.ts', url, long))
    }
    const ofShort = await measuredAlone('../statement/csv.ts', url, short)
    const growthMiB = median(statements.map(({ peakMiB }) => peakMiB)) - ofShort.peakMiB
    const memory = `memory beyond a statement of ${shortEntries} entries`
    const moment = `balance at a moment, p50 with ${events} entries`
    const momentMs = await balanceMs(engines, long, events)
    return [
      atMost(pairedFigure(`CSV of ${events} entries`, 's', statements.map(seconds), bare.map(seconds)), RATIO_MAX),
      isShort ? plainFigure(memory, 'MiB', growthMiB) : limitFigure(memory, 'MiB', growthMiB, MEMORY_GROWTH_MIB_MAX),
      isShort ? plainFigure(moment, 'ms', momentMs) : limitFigure(moment, 'ms', momentMs, MOMENT_MS_MAX),
    ]
  })
}

const seconds = ({ ms }: Measured): number => ms / 1000

/** Moments all over the ledger. */
async function balanceMs(engines: Installation, companyId: string, events: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < MOMENTS; n++) {
    const from = Math.floor((events / MOMENTS) * n)
    for await (const { recordedAt } of engines.store.readStream(streamName('ledger', companyId), { from, limit: 1 })) {
      const began = performance.now()
      await boundaryAt(engines, companyId, recordedAt)
      times.push(performance.now() - began)
    }
  }
  return median(times)
}

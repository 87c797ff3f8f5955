import type { Pace } from '../benchCommand.ts'
import { withBenchEngines } from '../benchDatabase.ts'
import { atMost, type Figure, limitFigure, median, pairedFigure, plainFigure } from '../figure.ts'
import { fillLedger } from './bigLedger.ts'
import { type Measured, measuredAlone } from './measured.ts'

const EVENTS = 1_000_000
const SHORT_EVENTS = 20_000
const ROUNDS = 3
/** Times as long as a bare read of the same rows. */
const RATIO_MAX = 2.5
/** A long ledger may take this much more memory than a short one: the heap grows until it is worth collecting. */
const MEMORY_GROWTH_MIB_MAX = 64
const SHORT_LEDGER_PART = 5

/** Measures the audit of one long ledger beside a bare read of the same rows, each in a process of its own. */
export function benchCompanyAudit({ isShort }: Pace): Promise<Figure[]> {
  const events = isShort ? SHORT_EVENTS : EVENTS
  return withBenchEngines(async (engines) => {
    const { url } = engines.database
    const short = await fillLedger(engines, events / SHORT_LEDGER_PART)
    const long = await fillLedger(engines, events)
    const bare: Measured[] = []
    const audits: Measured[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await measuredAlone('./bareRead.ts', url, long))
      audits.push(await measuredAlone('./audit.ts', url, long))
    }
    const ofShort = await measuredAlone('./audit.ts', url, short)
    const growthMiB = median(audits.map(({ peakMiB }) => peakMiB)) - ofShort.peakMiB
    const memory = `memory beyond an audit of ${events / SHORT_LEDGER_PART} entries`
    return [
      atMost(pairedFigure(`audit of ${events} entries`, 's', audits.map(seconds), bare.map(seconds)), RATIO_MAX),
      isShort ? plainFigure(memory, 'MiB', growthMiB) : limitFigure(memory, 'MiB', growthMiB, MEMORY_GROWTH_MIB_MAX),
    ]
  })
}

const seconds = ({ ms }: Measured): number => ms / 1000

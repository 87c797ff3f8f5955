import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import type { Projection } from '../../projections/projection.ts'
import type { Pace } from '../benchCommand.ts'
import { withBenchEngines } from '../benchDatabase.ts'
import { atMost, type Figure, limitFigure, median, pairedFigure, plainFigure } from '../figure.ts'
import { fillLedgers } from '../longLedger.ts'
import { type Measured, measuredAlone } from './measured.ts'

const ROUNDS = 3
/** As a multiple of a bare read of the same rows. */
const RATIO_MAX = 2.5
/** How much more memory a long ledger may take than a short one: the heap grows until it is worth collecting. */
const MEMORY_GROWTH_MIB_MAX = 64

/** Compares the audit of one long ledger with a bare read of the same rows, each in its own process. */
export function benchCompanyAudit({ isShort }: Pace): Promise<Figure[]> {
  return withBenchEngines(async (engines) => {
    const { url } = engines.database
    const ledgers = await fillLedgers(engines, { isShort }, [creditBalances, creditTransactions] as Projection[])
    const { short, shortEntries, long, longEntries } = ledgers
    const bare: Measured[] = []
    const audits: Measured[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await measuredAlone('./bareRead.ts', url, long))
      audits.push(await measuredAlone('./audit.ts', url, long))
    }
    const ofShort = await measuredAlone('./audit.ts', url, short)
    const growthMiB = median(audits.map(({ peakMiB }) => peakMiB)) - ofShort.peakMiB
    const memory = `memory beyond an audit of ${shortEntries} entries`
    return [
      atMost(pairedFigure(`audit of ${longEntries} entries`, 's', audits.map(seconds), bare.map(seconds)), RATIO_MAX),
      isShort ? plainFigure(memory, 'MiB', growthMiB) : limitFigure(memory, 'MiB', growthMiB, MEMORY_GROWTH_MIB_MAX),
    ]
  })
}

const seconds = ({ ms }: Measured): number => ms / 1000

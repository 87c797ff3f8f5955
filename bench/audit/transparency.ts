import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import type { Pace } from '../benchCommand.ts'
import { withBenchEngines } from '../benchDatabase.ts'
import { atMost, type Figure, pairedFigure, plainFigure } from '../figure.ts'
import { buildModel, fillLedger } from '../longLedger.ts'
import { type Measured, measuredAlone } from './measured.ts'
import { sealLedgers } from './sealedLedgers.ts'

const ENTRIES = 200_000
const SHORT_ENTRIES = 10_000
const ROUNDS = 3
/** As a multiple of a bare read of the same rows, as for the audit of a company. */
const RATIO_MAX = 2.5

/** Compares the audit of the log with a bare read of the same rows, each in its own process. */
export function benchTransparencyAudit({ isShort }: Pace): Promise<Figure[]> {
  return withBenchEngines(async (engines) => {
    const entries = isShort ? SHORT_ENTRIES : ENTRIES
    await fillLedger(engines, entries)
    await buildModel(engines, creditBalances)
    await sealLedgers(engines)
    const { url } = engines.database
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-audit-'))
    try {
      const bare: Measured[] = []
      const audits: Measured[] = []
      for (let round = 0; round < ROUNDS; round++) {
        bare.push(await measuredAlone('./bareEntryRead.ts', url))
        audits.push(await measuredAlone('./auditTransparency.ts', url, join(folder, `${round}.json`)))
      }
      const again = await measuredAlone('./auditTransparency.ts', url, join(folder, '0.json'))
      const name = `audit of a log of ${entries} entries`
      return [
        atMost(pairedFigure(name, 's', audits.map(seconds), bare.map(seconds)), RATIO_MAX),
        plainFigure('the next audit, with nothing new', 's', seconds(again)),
      ]
    } finally {
      await rm(folder, { recursive: true })
    }
  })
}

const seconds = ({ ms }: Measured): number => ms / 1000

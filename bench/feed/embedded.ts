import { type Figure, median, ratioFigure } from '../figure.ts'
import { appendBacklog, drain, requireAllRows, selectRate } from './backlog.ts'
import { companiesOn } from './companies.ts'
import { withEmbeddedInstallation } from './embeddedInstallation.ts'
import { measureBareAppends, measureLags } from './lag.ts'
import { lagFigures } from './lagFigures.ts'

const ROUNDS = 3
const LAG_P99_MS_MAX = 250

/** Measures the feed without Kafka, as in `npm start`. */
export function benchEmbedded(): Promise<Figure[]> {
  return withEmbeddedInstallation(async ({ engines, startProjector }) => {
    const bareAppends = await measureBareAppends(engines)
    const projector = await startProjector()
    const lags = await measureLags(engines)
    await projector.stop()
    const drains: number[] = []
    const selects: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      drains.push(await drain(await appendBacklog(engines, companiesOn(4)), startProjector))
      selects.push(await selectRate(engines))
    }
    await requireAllRows(engines)
    return [
      ...lagFigures('embedded', bareAppends, lags, LAG_P99_MS_MAX),
      ratioFigure('backlog to rows, embedded', 'events/s', median(drains), median(selects)),
    ]
  })
}

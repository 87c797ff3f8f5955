import { z } from 'zod'
import { LIMITS } from '../../../contracts/limits.ts'
import { logEntry } from '../../platform/sharedState/logEntry.ts'
import { LOG_LEVELS } from '../monitoring/appLogs.ts'

export const levels = z.enum(LOG_LEVELS)

export const logEntries = z.object({
  source: z
    .enum(['file', 'memory'])
    .meta({ description: 'file: the log of the installation; memory: since the start' }),
  entries: z.array(logEntry),
})

/** How many entries a reader wants, as a query has it. */
export const entriesLimit = z.coerce
  .number()
  .pipe(z.int().min(1).max(LIMITS.logPageMax))
  .default(LIMITS.logPageDefault)
  .meta({ description: `How many, the newest first; 1 to ${LIMITS.logPageMax}` })

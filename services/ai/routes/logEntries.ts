import { z } from 'zod'
import { logEntry } from '../../platform/sharedState/logEntry.ts'
import { LOG_LEVELS } from '../monitoring/appLogs.ts'

const LOG_PAGE_DEFAULT = 100
const LOG_PAGE_MAX = 1_000

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
  .pipe(z.int().min(1).max(LOG_PAGE_MAX))
  .default(LOG_PAGE_DEFAULT)
  .meta({ description: `How many, the newest first; 1 to ${LOG_PAGE_MAX}` })

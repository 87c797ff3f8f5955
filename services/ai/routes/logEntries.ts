import { z } from 'zod'
import { logEntry } from '../../../platform/sharedState/logEntry.ts'
import { LOG_LEVELS } from '../monitoring/appLogs.ts'

const LOG_PAGE_DEFAULT = 100
const LOG_PAGE_MAX = 1_000

export const levels = z.enum(LOG_LEVELS)

export const logEntries = z.object({
  source: z
    .enum(['file', 'memory'])
    .meta({ description: 'file: the log file of the installation; memory: entries since the start of this process' }),
  entries: z.array(logEntry),
})

/** The query parameter for the number of entries. */
export const entriesLimit = z.coerce
  .number()
  .pipe(z.int().min(1).max(LOG_PAGE_MAX))
  .default(LOG_PAGE_DEFAULT)
  .meta({ description: `Number of entries, the newest first; 1 to ${LOG_PAGE_MAX}` })

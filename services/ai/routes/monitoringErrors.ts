import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'
import type { AppLogs } from '../monitoring/appLogs.ts'
import { entriesLimit, logEntries } from './logEntries.ts'

export const monitoringErrors = (logs: Pick<AppLogs, 'find'>) =>
  route({
    method: 'GET',
    path: '/monitoring/errors',
    access: 'internal',
    tag: 'Monitoring',
    summary: 'The newest errors in the logs of the services',
    query: z.strictObject({ limit: entriesLimit }),
    answer: logEntries,
    handle: ({ query: { limit } }) => logs.find({ level: 'error', limit }),
  })

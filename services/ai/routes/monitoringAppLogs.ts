import { z } from 'zod'
import { parseTime } from '../../../platform/clock/clock.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { route } from '../../../platform/http/route.ts'
import type { AppLogs } from '../monitoring/appLogs.ts'
import { entriesLimit, levels, logEntries } from './logEntries.ts'

export const monitoringAppLogs = (logs: Pick<AppLogs, 'find'>) =>
  route({
    method: 'GET',
    path: '/monitoring/app-logs',
    access: 'internal',
    tag: 'Monitoring',
    summary: 'Log entries of the services, the newest first',
    query: z.strictObject({
      level: levels.optional().meta({ description: 'This level and higher ones' }),
      service: z.string().min(1).optional().meta({ description: 'Only entries of this service' }),
      text: z.string().min(1).optional().meta({ description: 'A text in the message or context, ignoring case' }),
      since: z
        .string()
        .optional()
        .meta({ description: 'ISO 8601; only entries from this time on', example: '2026-01-31T08:00:00Z' }),
      limit: entriesLimit,
    }),
    answer: logEntries,
    handle: ({ query: { since, ...filter } }) => {
      if (since === undefined) return logs.find(filter)
      const sinceMs = parseTime(since)
      if (sinceMs === null) throw new HttpError(400, "'since': must be an ISO 8601 time with a zone")
      return logs.find({ ...filter, sinceMs })
    },
  })

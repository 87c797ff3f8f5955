import { z } from 'zod'
import { parseTime } from '../../platform/clock/clock.ts'
import { RouteRefusal, route } from '../../platform/http/documentedRoute.ts'
import type { AppLogs } from '../monitoring/appLogs.ts'
import { entriesLimit, levels, logEntries } from './logEntries.ts'

export const monitoringAppLogs = (logs: Pick<AppLogs, 'find'>) =>
  route({
    method: 'GET',
    path: '/monitoring/app-logs',
    access: 'internal',
    tag: 'Monitoring',
    summary: 'What the services have logged, the newest first',
    query: z.strictObject({
      level: levels.optional().meta({ description: 'This level and those above it' }),
      service: z.string().min(1).optional().meta({ description: 'Of this service only' }),
      text: z.string().min(1).optional().meta({ description: 'Anywhere in message or context, in any case' }),
      since: z
        .string()
        .optional()
        .meta({ description: 'ISO 8601: from this time on', example: '2026-01-31T08:00:00Z' }),
      limit: entriesLimit,
    }),
    answer: logEntries,
    handle: ({ query: { since, ...filter } }) => {
      if (since === undefined) return logs.find(filter)
      const sinceMs = parseTime(since)
      if (sinceMs === null) throw new RouteRefusal(400, "'since': must be a time as ISO 8601 has it, with its zone")
      return logs.find({ ...filter, sinceMs })
    },
  })

import { z } from 'zod'
import type { Clock } from '../../../platform/clock/clock.ts'
import { route } from '../../../platform/http/route.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { databaseCheck } from '../../../platform/postgres/databaseHealth.ts'

export const healthDatabase = (database: PostgresDatabase, clock: Clock) => {
  const check = databaseCheck(database, clock)
  return route({
    method: 'GET',
    path: '/health/database',
    access: 'public',
    tag: 'Health',
    summary: 'Whether the database can be reached and written, and its connection pool',
    answer: z.object({
      status: z.enum(['healthy', 'degraded']),
      latency_ms: z.number().nullable().meta({ description: 'null if the database did not answer in time' }),
      pool: z.object({
        total: z.int().meta({ description: 'Open connections' }),
        idle: z.int(),
        waiting: z.int().meta({ description: 'Queries waiting for a connection' }),
      }),
    }),
    handle: async () => {
      const { status, ...rest } = await check()
      return { status: status === 'healthy' ? ('healthy' as const) : ('degraded' as const), ...rest }
    },
  })
}

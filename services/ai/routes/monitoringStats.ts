import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'
import type { SystemStats } from '../monitoring/systemStats.ts'

const lagEvents = z.int().nullable().meta({ description: 'Events in the store that it has not processed' })

export const monitoringStats = (stats: Pick<SystemStats, 'read'>) =>
  route({
    method: 'GET',
    path: '/monitoring/stats',
    access: 'internal',
    tag: 'Monitoring',
    summary: 'This process, the machine, and the lag of each consumer of the event store',
    answer: z.object({
      uptime_seconds: z.int(),
      cpu: z.object({
        cores: z.int(),
        load_average: z.array(z.number()).length(3),
        user_seconds: z.number(),
        system_seconds: z.number(),
      }),
      memory: z.object({
        rss_bytes: z.int(),
        heap_used_bytes: z.int(),
        heap_total_bytes: z.int(),
        machine_total_bytes: z.int(),
        machine_free_bytes: z.int(),
      }),
      event_loop_delay_ms: z.object({ mean: z.number(), p99: z.number(), max: z.number() }),
      feed: z.object({
        head: z.string(),
        relay: z
          .object({ position: z.string(), lag_events: z.int(), epoch: z.int(), moved_at: z.string() })
          .nullable()
          .meta({ description: 'null if Kafka is not used' }),
      }),
      projections: z.array(
        z.object({
          name: z.string(),
          version: z.int().nullable().meta({ description: 'null if not built yet' }),
          lag_events: lagEvents,
          partitions: z.array(z.object({ partition: z.string(), position: z.string(), lag_events: z.int() })),
        }),
      ),
      leases: z.array(z.object({ name: z.string(), holder: z.string(), epoch: z.int(), ms_left: z.number() })),
    }),
    handle: () => stats.read(),
  })

import { z } from 'zod'
import type { Clock } from '../../../platform/clock/clock.ts'
import { route } from '../../../platform/http/route.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { databaseCheck } from '../../../platform/postgres/databaseHealth.ts'
import { type BackgroundWorker, WORKER_NAMES } from '../backgroundWorker.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'

export type ReadinessSources = {
  readonly database: PostgresDatabase
  readonly clock: Clock
  readonly models: Pick<BackgroundModels, 'breakerStates'>
  readonly workers: readonly BackgroundWorker[]
}

const status = z.enum(['healthy', 'degraded'])
const workerStatus = z
  .enum(['healthy', 'degraded', 'stopped'])
  .meta({ description: 'stopped: this process does not run it' })
const breaker = z.enum(['closed', 'open', 'half-open'])
const workerStatuses = {
  match_score_generator: workerStatus,
  email_worker: workerStatus,
  cv_worker: workerStatus,
  document_worker: workerStatus,
}
const whole = z.object({
  status,
  components: z.object({
    database: z.object({ status, latency_ms: z.number().nullable() }),
    workers: z.object({ status, active: z.int(), idle: z.int() }),
    circuit_breakers: z.object({ chat: breaker, extract: breaker, embed: breaker }),
    ...workerStatuses,
  }),
})
const flat = z.object({ status, components: z.object({ database: status, ...workerStatuses }) })

/** 200 also when degraded: a load balancer must not take all services out because one dependency is down. */
export const healthReady = ({ database, clock, models, workers }: ReadinessSources) => {
  const checkDatabase = databaseCheck(database, clock)
  return route({
    method: 'GET',
    path: '/health/ready',
    access: 'public',
    tag: 'Health',
    summary: 'Readiness of each component',
    query: z.strictObject({
      form: z.enum(['flat']).optional().meta({ description: 'flat: only a status for each component' }),
    }),
    answer: z.union([whole, flat]),
    handle: async ({ query }) => {
      const { status: reached, latency_ms } = await checkDatabase()
      // Without its database, this service only falls behind: background work waits.
      const databaseStatus: z.infer<typeof status> = reached === 'healthy' ? 'healthy' : 'degraded'
      const states = models.breakerStates()
      const healths = new Map(workers.map((worker) => [worker.name, worker.health()]))
      const active = [...healths.values()].filter(({ isActive }) => isActive).length
      const workersStatus = worst([...healths.values()].map((health) => health.status))
      const breakersStatus = Object.values(states).every((state) => state === 'closed') ? 'healthy' : 'degraded'
      const names = Object.fromEntries(
        WORKER_NAMES.map((name) => [name, healths.get(name)?.status ?? 'stopped']),
      ) as Record<(typeof WORKER_NAMES)[number], z.infer<typeof workerStatus>>
      const overall = worst([databaseStatus, workersStatus, breakersStatus])
      if (query.form === 'flat') return { status: overall, components: { database: databaseStatus, ...names } }
      return {
        status: overall,
        components: {
          database: { status: databaseStatus, latency_ms },
          workers: { status: workersStatus, active, idle: healths.size - active },
          circuit_breakers: states,
          ...names,
        },
      }
    },
  })
}

function worst(statuses: readonly z.infer<typeof status>[]): z.infer<typeof status> {
  return statuses.includes('degraded') ? 'degraded' : 'healthy'
}

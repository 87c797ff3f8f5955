import { z } from 'zod'
import type { Runtime } from '../../../capabilities/installation.ts'
import { readModelCheck } from '../../../capabilities/readModels/readModelHealth.ts'
import { transparencyCheck } from '../../../capabilities/transparency/health.ts'
import { dependencyCheck } from '../../../platform/dependencyHealth.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { databaseCheck } from '../../../platform/postgres/databaseHealth.ts'

const status = z.enum(['healthy', 'degraded', 'unhealthy'])
const component = z.looseObject({ status })

/**
 * 200 while the process runs: a load balancer must not take all backends out because of a dependency that they share.
 * The body says unhealthy when calls cannot be charged, because the database or the event store does not work.
 */
export const health = ({ config, engines, clock }: Pick<Runtime, 'config' | 'engines' | 'clock'>) => {
  const { database, store, sharedState } = engines
  const checkDatabase = databaseCheck(database, clock)
  const checkStore = dependencyCheck(() => store.head(), clock)
  const checkTransparency = transparencyCheck(database, clock)
  const usesKafka = config.KAFKA_BROKERS !== undefined
  const checkReadModels = readModelCheck({ database, store, usesKafka }, clock)
  return route({
    method: 'GET',
    path: '/health',
    access: 'public',
    tag: 'Health',
    summary: 'The health of each dependency',
    query: anyQuery,
    answer: z.object({
      status: status.meta({ description: 'unhealthy: calls fail; degraded: calls go on, less well' }),
      components: z.object({
        database: component,
        event_store: component,
        shared_state: component,
        log: component.extend({
          fault: z.string().nullable().meta({ description: 'what no longer matches the transparency log' }),
          fault_event: z.string().nullable().meta({ description: 'the event that differs' }),
        }),
        read_models: component.extend({
          behind: z.array(z.string()).meta({ description: 'read models that are far behind and are catching up' }),
          needs_rebuild: z
            .array(z.string())
            .meta({ description: 'read models whose rows are of another version than the program' }),
          stopped: z.array(z.string()).meta({
            description:
              'read models that have not applied an event for a minute, or for five if they are far behind, although there is one',
          }),
          lag_events: z.int().meta({ description: 'events that the one furthest behind lacks' }),
          percent: z.number().meta({ description: 'how much of the catching up is done' }),
          seconds_left: z.int().nullable().meta({ description: 'null if nothing is behind or the speed is unknown' }),
        }),
      }),
    }),
    handle: async () => {
      const [databaseHealth, storeHealth, log, readModels] = await Promise.all([
        checkDatabase(),
        checkStore(),
        checkTransparency(),
        checkReadModels(),
      ])
      const components = {
        database: databaseHealth,
        event_store: storeHealth,
        shared_state: sharedState.health(),
        log,
        read_models: readModels,
      }
      const statuses = Object.values(components).map((health) => health.status)
      const worst = (['unhealthy', 'degraded'] as const).find((one) => statuses.includes(one))
      return { status: worst ?? ('healthy' as const), components }
    },
  })
}

export const healthz = route({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  tag: 'Health',
  summary: 'Static target for load balancers: 200 while the process runs',
  query: anyQuery,
  answer: z.object({ status: z.literal('ok') }),
  handle: () => ({ status: 'ok' as const }),
})

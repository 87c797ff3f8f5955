import { z } from 'zod'
import { dependencyHealth } from '../../platform/dependencyHealth.ts'
import { anyQuery, route } from '../../platform/http/route.ts'
import { databaseHealth } from '../../platform/postgres/databaseHealth.ts'
import type { Runtime } from '../../platform/runtime.ts'

const component = z.looseObject({ status: z.enum(['healthy', 'degraded']) })

/** 200 while the process runs: a load balancer must not take all backends out because one dependency is slow. */
export const health = ({ engines, clock }: Pick<Runtime, 'engines' | 'clock'>) =>
  route({
    method: 'GET',
    path: '/health',
    access: 'public',
    tag: 'Health',
    summary: 'The health of each dependency',
    query: anyQuery,
    answer: z.object({
      status: z.enum(['healthy', 'degraded']),
      components: z.object({ database: component, event_store: component, shared_state: component }),
    }),
    handle: async () => {
      const { database, store, sharedState } = engines
      const [databaseState, storeState] = await Promise.all([
        databaseHealth(database, clock),
        dependencyHealth(() => store.head(), clock),
      ])
      const components = { database: databaseState, event_store: storeState, shared_state: sharedState.health() }
      const isHealthy = Object.values(components).every(({ status }) => status === 'healthy')
      return { status: isHealthy ? ('healthy' as const) : ('degraded' as const), components }
    },
  })

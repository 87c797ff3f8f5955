import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'

export type AiServicesSource = Pick<BackgroundModels, 'integrations'> & {
  readonly operations: Pick<BackgroundModels['operations'], 'read'>
}

export const monitoringAiServices = (models: AiServicesSource) =>
  route({
    method: 'GET',
    path: '/monitoring/ai-services',
    access: 'internal',
    tag: 'Monitoring',
    summary: 'The external AI services that background work uses',
    answer: z.object({
      services: z.array(
        z.object({
          name: z.enum(['chat', 'extract', 'embed']),
          status: z.enum(['healthy', 'degraded']),
          circuit_breaker: z.enum(['closed', 'open', 'half-open']),
          rest_ms: z
            .number()
            .meta({ description: 'Time until calls are let through again; 0 if the breaker is not open' }),
          alias: z.string(),
          providers: z.array(z.string()).meta({ description: 'The providers in the order in which they are tried' }),
          calls: z.int(),
          failures: z.int(),
          last_failure: z.object({ at: z.iso.datetime(), reason: z.string(), message: z.string() }).nullable(),
        }),
      ),
    }),
    handle: () => ({
      services: models.integrations().map(({ service: name, alias, state, cooldownLeftMs, providers }) => {
        const own = models.operations.read().filter(({ service }) => service === name)
        const succeeded = own.reduce((sum, { counts }) => sum + counts.succeeded, 0)
        const calls = own.reduce((sum, { counts }) => sum + Object.values(counts).reduce((a, b) => a + b, 0), 0)
        const failures = own.flatMap(({ lastFailure }) => lastFailure ?? []).toSorted((a, b) => (a.at < b.at ? 1 : -1))
        return {
          name,
          status: state === 'closed' ? ('healthy' as const) : ('degraded' as const),
          circuit_breaker: state,
          rest_ms: cooldownLeftMs,
          alias,
          providers,
          calls,
          failures: calls - succeeded,
          last_failure: failures[0] ?? null,
        }
      }),
    }),
  })

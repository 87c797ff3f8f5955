import { z } from 'zod'
import { route } from '../../platform/http/documentedRoute.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'

export const monitoringAiServices = (models: Pick<BackgroundModels, 'integrations' | 'operations'>) =>
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
          rest_ms: z.number().meta({ description: 'How long no call is made; 0: it can be asked' }),
          alias: z.string(),
          providers: z.array(z.string()).meta({ description: 'Who is asked, in this order' }),
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
        const failed = own.flatMap(({ lastFailure }) => lastFailure ?? []).toSorted((a, b) => (a.at < b.at ? 1 : -1))
        return {
          name,
          status: state === 'closed' ? ('healthy' as const) : ('degraded' as const),
          circuit_breaker: state,
          rest_ms: cooldownLeftMs,
          alias,
          providers,
          calls,
          failures: calls - succeeded,
          last_failure: failed[0] ? { at: failed[0].at, reason: failed[0].reason, message: failed[0].message } : null,
        }
      }),
    }),
  })

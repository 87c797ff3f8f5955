import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'
import type { Operations } from '../models/operations.ts'

const counts = z.object({
  succeeded: z.int(),
  unreachable: z.int().meta({ description: 'No provider answered' }),
  refused: z.int().meta({ description: 'A provider refused the request' }),
  invalid: z.int().meta({ description: 'The answer could not be used' }),
  resting: z.int().meta({ description: 'No call was made, because the circuit breaker was open' }),
})

export const monitoringOperations = (operations: Pick<Operations, 'read'>) =>
  route({
    method: 'GET',
    path: '/monitoring/operations',
    access: 'internal',
    tag: 'Monitoring',
    summary: 'Model calls of background work since this process started, by kind and outcome',
    answer: z.object({
      totals: counts,
      in_progress: z.int(),
      operations: z.array(
        z.object({
          kind: z.string(),
          service: z.enum(['chat', 'extract', 'embed']),
          counts,
          in_progress: z.int(),
          tokens_in: z.int(),
          tokens_out: z.int(),
          avg_ms: z.number().nullable(),
          last_at: z.iso.datetime().nullable(),
          last_failure: z.object({ at: z.iso.datetime(), reason: z.string(), message: z.string() }).nullable(),
        }),
      ),
    }),
    handle: () => {
      const all = operations.read()
      const total = (name: keyof z.infer<typeof counts>) => all.reduce((sum, each) => sum + each.counts[name], 0)
      return {
        totals: {
          succeeded: total('succeeded'),
          unreachable: total('unreachable'),
          refused: total('refused'),
          invalid: total('invalid'),
          resting: total('resting'),
        },
        in_progress: all.reduce((sum, { inProgress }) => sum + inProgress, 0),
        operations: all.map(({ inProgress, tokensIn, tokensOut, avgMs, lastAt, lastFailure, ...rest }) => ({
          ...rest,
          in_progress: inProgress,
          tokens_in: tokensIn,
          tokens_out: tokensOut,
          avg_ms: avgMs,
          last_at: lastAt,
          last_failure: lastFailure,
        })),
      }
    },
  })

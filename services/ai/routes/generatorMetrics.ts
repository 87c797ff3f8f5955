import { z } from 'zod'
import type { GeneratorFigures } from '../../../capabilities/generator/publishedFigures.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { route } from '../../../platform/http/route.ts'
import type { MatchScoreGenerator } from '../generator/matchScoreGenerator.ts'
import { GENERATOR_PATH, GENERATOR_TAG, generatorRefusals, orUnavailable } from './generatorAnswers.ts'

const BREAKER_STATES = { closed: 'CLOSED', open: 'OPEN', 'half-open': 'HALF-OPEN' } as const

const metrics = z
  .object({
    total_processed: z.number().meta({ description: 'Matches since the last start' }),
    total_errors: z.number().meta({ description: 'Failed pairs since the last start, which are retried' }),
    avg_processing_time_ms: z.number().meta({ description: 'Average time of one match' }),
    queue_depth: z.number(),
    throughput_per_minute: z.number().meta({ description: 'Matches of the last 60 seconds' }),
    last_processed_at: z.iso.datetime().nullable(),
    processing_rate: z.number().meta({ description: 'Matches per second' }),
    error_rate: z.number().meta({ description: 'Percentage of failed calculations' }),
    circuit_breaker_state: z.enum(['CLOSED', 'OPEN', 'HALF-OPEN']),
  })
  .meta({ id: 'GeneratorMetrics' })

export const generatorMetrics = (generator: Pick<MatchScoreGenerator, 'figures'>) =>
  route({
    method: 'GET',
    path: `${GENERATOR_PATH}/metrics`,
    access: 'internal',
    tag: GENERATOR_TAG,
    summary: 'Metrics of the generator since its last start',
    answer: metrics,
    refusals: generatorRefusals,
    handle: async () => metricsOf(await orUnavailable(generator.figures())),
  })

function metricsOf(figures: GeneratorFigures): z.infer<typeof metrics> {
  const { lastProcessedAtMs, breaker } = figures
  return {
    total_processed: figures.processed,
    total_errors: figures.errors,
    avg_processing_time_ms: figures.avgMs,
    queue_depth: figures.queueSize,
    throughput_per_minute: figures.perMinute,
    last_processed_at: lastProcessedAtMs === null ? null : isoTime(lastProcessedAtMs),
    processing_rate: figures.perSecond,
    error_rate: figures.errorPercent,
    circuit_breaker_state: BREAKER_STATES[breaker],
  }
}

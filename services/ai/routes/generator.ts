import { z } from 'zod'
import { isoTime } from '../../platform/clock/clock.ts'
import { type DocumentedRoute, RouteRefusal, route } from '../../platform/http/documentedRoute.ts'
import type { MatchScoreGenerator } from '../generator/matchScoreGenerator.ts'
import type { GeneratorFigures } from '../generator/publishedFigures.ts'

const BASE = '/api/v1/background-tasks/match-score-generator'
const shared = { access: 'internal', tag: 'Match-score generator' } as const
const refusals = { 503: 'The database or the event store does not answer' }

const generatorStatus = z
  .object({
    status: z.enum(['running', 'stopped', 'processing']).meta({ description: 'processing: a batch is under way' }),
    uptime_seconds: z.number().meta({ description: 'Since it was started, or taken up by the process that runs it' }),
    current_batch: z.number().meta({ description: 'The last that was begun, counted from the very first' }),
    queue_size: z.number().meta({ description: 'Pairs that are read ahead or wait for their next try' }),
  })
  .meta({ id: 'GeneratorStatus' })

const metrics = z
  .object({
    total_processed: z.number().meta({ description: 'Matches since the last restart' }),
    total_errors: z.number().meta({ description: 'Pairs that were tried in vain since then; they are tried again' }),
    avg_processing_time_ms: z.number().meta({ description: 'Of one match' }),
    queue_depth: z.number(),
    throughput_per_minute: z.number().meta({ description: 'Matches of the last 60 seconds' }),
    last_processed_at: z.iso.datetime().nullable(),
    processing_rate: z.number().meta({ description: 'Matches per second' }),
    error_rate: z.number().meta({ description: 'Percentage of failed calculations' }),
    circuit_breaker_state: z.enum(['CLOSED', 'OPEN', 'HALF-OPEN']),
  })
  .meta({ id: 'GeneratorMetrics' })

/** The four routes of the generator. */
export function generatorRoutes(generator: MatchScoreGenerator): DocumentedRoute[] {
  return [
    route({
      ...shared,
      method: 'GET',
      path: `${BASE}/status`,
      summary: 'What the generator is doing',
      refusals,
      answer: generatorStatus,
      handle: async () => statusOf(await answered(generator.figures())),
    }),
    route({
      ...shared,
      method: 'POST',
      path: `${BASE}/start`,
      summary: 'Starts the generator; when it runs, nothing changes',
      refusals,
      answer: generatorStatus,
      handle: async () => statusOf(await answered(generator.start())),
    }),
    route({
      ...shared,
      method: 'POST',
      path: `${BASE}/stop`,
      summary: 'Stops the generator after the current batch; when it is stopped, nothing changes',
      refusals,
      answer: generatorStatus,
      handle: async () => statusOf(await answered(generator.stop())),
    }),
    route({
      ...shared,
      method: 'GET',
      path: `${BASE}/metrics`,
      summary: 'Figures of the generator since its last restart',
      refusals,
      answer: metrics,
      handle: async () => metricsOf(await answered(generator.figures())),
    }),
  ]
}

function statusOf({ status, uptimeSeconds, batch, queueSize }: GeneratorFigures): z.infer<typeof generatorStatus> {
  return { status, uptime_seconds: uptimeSeconds, current_batch: batch, queue_size: queueSize }
}

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
    circuit_breaker_state: breaker.toUpperCase() as 'CLOSED' | 'OPEN' | 'HALF-OPEN',
  }
}

async function answered<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    throw new RouteRefusal(503, `The generator cannot be asked now: ${(error as Error).message}`, {
      'retry-after': '5',
    })
  }
}

import { z } from 'zod'
import type { GeneratorFigures } from '../../../capabilities/generator/publishedFigures.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { route } from '../../../platform/http/route.ts'
import type { MatchScoreGenerator } from '../generator/matchScoreGenerator.ts'

const PATH = '/api/v1/background-tasks/match-score-generator'
const TAG = 'Match-score generator'
const refusals = { 503: 'The database or the event store does not answer' }

const RETRY_AFTER_SECONDS = 5

const statusAnswer = z
  .object({
    status: z.enum(['running', 'stopped', 'processing']).meta({ description: 'processing: a batch is being scored' }),
    uptime_seconds: z.number().meta({ description: 'Since the start, or since the running process took over' }),
    current_batch: z.number().meta({ description: 'Number of the last batch that began, over all runs' }),
    queue_size: z.number().meta({ description: 'Pairs that are read ahead or wait for a retry' }),
  })
  .meta({ id: 'GeneratorStatus' })

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

export const generatorStatus = (generator: Pick<MatchScoreGenerator, 'figures'>) =>
  route({
    method: 'GET',
    path: `${PATH}/status`,
    access: 'internal',
    tag: TAG,
    summary: 'What the generator is doing',
    answer: statusAnswer,
    refusals,
    handle: async () => statusOf(await orUnavailable(generator.figures())),
  })

export const generatorStart = (generator: Pick<MatchScoreGenerator, 'start'>) =>
  route({
    method: 'POST',
    traced: true,
    path: `${PATH}/start`,
    access: 'internal',
    tag: TAG,
    summary: 'Starts the generator; a running one is left unchanged',
    answer: statusAnswer,
    refusals,
    handle: async () => statusOf(await orUnavailable(generator.start())),
  })

export const generatorStop = (generator: Pick<MatchScoreGenerator, 'stop'>) =>
  route({
    method: 'POST',
    traced: true,
    path: `${PATH}/stop`,
    access: 'internal',
    tag: TAG,
    summary: 'Stops the generator after the current batch; a stopped one is left unchanged',
    answer: statusAnswer,
    refusals,
    handle: async () => statusOf(await orUnavailable(generator.stop())),
  })

export const generatorMetrics = (generator: Pick<MatchScoreGenerator, 'figures'>) =>
  route({
    method: 'GET',
    path: `${PATH}/metrics`,
    access: 'internal',
    tag: TAG,
    summary: 'Metrics of the generator since its last start',
    answer: metrics,
    refusals,
    handle: async () => metricsOf(await orUnavailable(generator.figures())),
  })

function statusOf(figures: GeneratorFigures): z.infer<typeof statusAnswer> {
  const { status, uptimeSeconds, batch, queueSize } = figures
  return { status, uptime_seconds: uptimeSeconds, current_batch: batch, queue_size: queueSize }
}

/** Turns a failure of the database or the event store into a 503. */
async function orUnavailable<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    throw new HttpError(503, `The generator is unavailable: ${(error as Error).message}`, {
      'retry-after': String(RETRY_AFTER_SECONDS),
    })
  }
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
    circuit_breaker_state: BREAKER_STATES[breaker],
  }
}

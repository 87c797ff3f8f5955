import { z } from 'zod'
import type { GeneratorFigures } from '../../../capabilities/generator/publishedFigures.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'

/** What the four routes of the generator share. */
export const GENERATOR_PATH = '/api/v1/background-tasks/match-score-generator'
export const GENERATOR_TAG = 'Match-score generator'
export const generatorRefusals = { 503: 'The database or the event store does not answer' }

const RETRY_AFTER_SECONDS = 5

export const generatorStatusAnswer = z
  .object({
    status: z.enum(['running', 'stopped', 'processing']).meta({ description: 'processing: a batch is being scored' }),
    uptime_seconds: z.number().meta({ description: 'Since the start, or since the running process took over' }),
    current_batch: z.number().meta({ description: 'Number of the last batch that began, over all runs' }),
    queue_size: z.number().meta({ description: 'Pairs that are read ahead or wait for a retry' }),
  })
  .meta({ id: 'GeneratorStatus' })

export function statusOf(figures: GeneratorFigures): z.infer<typeof generatorStatusAnswer> {
  const { status, uptimeSeconds, batch, queueSize } = figures
  return { status, uptime_seconds: uptimeSeconds, current_batch: batch, queue_size: queueSize }
}

/** Turns a failure of the database or the event store into a 503. */
export async function orUnavailable<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    throw new HttpError(503, `The generator is unavailable: ${(error as Error).message}`, {
      'retry-after': String(RETRY_AFTER_SECONDS),
    })
  }
}

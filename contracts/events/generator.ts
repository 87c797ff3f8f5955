import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'

const name = z.string()
/** The number of the batch within its generator, from 1 on. */
const batch = z.int().nonnegative()
const percent = z.int().min(0).max(100)
/** The version of the job or talent that the score was computed from. A newer version makes the score stale. */
const version = z.string()

/** One pair. Job and talent are indexes into the lists of the event, because each of them occurs in many pairs. */
export const batchScore = z.strictObject({
  job: z.int().nonnegative(),
  talent: z.int().nonnegative(),
  score: percent,
  parts: z.strictObject({
    skills: percent,
    experience: percent,
    location: percent,
    language: percent,
    seniority: percent,
  }),
  /** By how much a model's judgement moved the score; null if no judgement was requested. */
  adjustment: z.int().nullable(),
  explanation: z.string(),
})
export type BatchScore = z.infer<typeof batchScore>

export const generatorEvents = {
  GeneratorStarted: event(1, z.strictObject({ name, lastBatch: batch, startedAt: isoTime })),
  BatchStarted: event(1, z.strictObject({ name, batch, pairs: z.int().positive(), startedAt: isoTime })),
  BatchCompleted: event(
    1,
    z.strictObject({
      name,
      batch,
      jobs: z.array(z.strictObject({ jobId: id, companyId: id, version })),
      talents: z.array(z.strictObject({ talentId: id, version })),
      scores: z.array(batchScore),
      /** The number of pairs whose calculation failed; they still have to be scored. */
      failed: z.int().nonnegative(),
      completedAt: isoTime,
    }),
  ),
  /** The batch in progress is still completed, but no further batch starts. */
  GeneratorStopped: event(1, z.strictObject({ name, lastBatch: batch, stoppedAt: isoTime })),
}

export type GeneratorEvent = EventUnion<typeof generatorEvents>
export type BatchResult = Omit<
  Extract<GeneratorEvent, { type: 'BatchCompleted' }>['data'],
  'name' | 'batch' | 'completedAt'
>

import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'

const name = z.string()
/** Counts the batches of a generator, from 1 on. */
const batch = z.int().nonnegative()
const percent = z.int().min(0).max(100)
/** Of what a side was like when the score was computed: another one makes the score stale. */
const version = z.string()

/** One pair. The sides are places in the lists of its event, because each of them occurs in many pairs. */
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
  /** By how much a model's judgement moved the score; null: none was asked for. */
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
      /** Pairs that were tried in vain; they are still to be scored. */
      failed: z.int().nonnegative(),
      completedAt: isoTime,
    }),
  ),
  /** Decided: the batch that is under way is still completed, and none is begun after it. */
  GeneratorStopped: event(1, z.strictObject({ name, lastBatch: batch, stoppedAt: isoTime })),
}

export type GeneratorEvent = EventUnion<typeof generatorEvents>
export type BatchResult = Omit<
  Extract<GeneratorEvent, { type: 'BatchCompleted' }>['data'],
  'name' | 'batch' | 'completedAt'
>

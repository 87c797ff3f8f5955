import type { GeneratorEvent } from '../../../contracts/events/generator.ts'
import { type Check, check } from '../engines/enginesVerdict.ts'

export type GeneratorBooks = {
  readonly events: readonly GeneratorEvent[]
  readonly jobs: readonly string[]
  readonly talents: readonly string[]
}

/** Every pair of the company has a score on record, and only one. */
export function judgePairs({ events, jobs, talents }: GeneratorBooks): Check {
  const times = new Map<string, number>()
  for (const event of events) {
    if (event.type !== 'BatchCompleted') continue
    const { scores, jobs: own, talents: others } = event.data
    for (const { job, talent } of scores) {
      const pair = `${own[job]?.jobId} ${others[talent]?.talentId}`
      times.set(pair, (times.get(pair) ?? 0) + 1)
    }
  }
  const faults: string[] = []
  for (const jobId of jobs) {
    for (const talentId of talents) {
      const count = times.get(`${jobId} ${talentId}`) ?? 0
      if (count !== 1) faults.push(`${jobId} ${talentId} is on record ${count} times`)
    }
  }
  const strangers = times.size - jobs.length * talents.length
  if (strangers > 0) faults.push(`${strangers} pairs of unknown jobs or talents`)
  return check('every pair is scored once', faults, `${times.size} pairs`)
}

/** After a stop at most the batch that was under way is completed, until the next start; each batch once. */
export function judgeOrder(events: readonly GeneratorEvent[]): Check {
  const faults: string[] = []
  let isStarted = false
  let batch = 0
  let isOpen = false
  for (const { type, data } of events) {
    if (type === 'GeneratorStarted') isStarted = true
    if (type === 'GeneratorStopped') isStarted = false
    if (type === 'BatchStarted') {
      if (!isStarted) faults.push(`batch ${data.batch} began although it was stopped`)
      if (data.batch !== batch + 1) faults.push(`batch ${data.batch} follows ${batch}`)
      batch = data.batch
      isOpen = true
    }
    if (type === 'BatchCompleted') {
      if (!isOpen || data.batch !== batch) faults.push(`batch ${data.batch} was completed and was not under way`)
      isOpen = false
    }
  }
  return check('one batch after the other, none after a stop', faults, `${batch} batches`)
}

/** The scores that were on record after a batch. */
export function scoresAfter(events: readonly GeneratorEvent[], batch: number): number {
  return events.reduce(
    (sum, event) => sum + (event.type === 'BatchCompleted' && event.data.batch > batch ? event.data.scores.length : 0),
    0,
  )
}

import type { EventData } from '../../contracts/events/eventsByCategory.ts'
import type { BatchScore, GeneratorEvent } from '../../contracts/events/generator.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type MatchScoreRow = {
  readonly jobId: string
  readonly talentId: string
  readonly companyId: string
  readonly score: number
  readonly parts: BatchScore['parts']
  /** null if no judgement was requested. */
  readonly adjustment: number | null
  readonly explanation: string
  /** The versions of job and talent that the score was computed from. */
  readonly jobVersion: string
  readonly talentVersion: string
  readonly computedAt: string
}

type Completed = EventData<'BatchCompleted'>

/** The newest score of each pair. */
export const matchScores: Projection<MatchScoreRow, GeneratorEvent> = {
  name: 'match-scores',
  version: 1,
  categories: ['generator'],
  table: 'match_scores',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['jobId', 'talentId'],
  rowsOf: (event) => [...rowsOfBatch(event).values()],
  evolve: (_row, event, key) => {
    const row = rowsOfBatch(event).get(placeOf(key))
    if (!row) throw new Error(`${event.type} ${event.id} has no score for the pair ${placeOf(key)}`)
    return row
  },
}

const none: ReadonlyMap<string, MatchScoreRow> = new Map()
/** The runner needs the rows of an event several times, and a batch has a thousand of them. */
const lastRead: { event: GeneratorEvent | null; rows: ReadonlyMap<string, MatchScoreRow> } = { event: null, rows: none }

function rowsOfBatch(event: GeneratorEvent): ReadonlyMap<string, MatchScoreRow> {
  switch (event.type) {
    case 'BatchCompleted':
      if (lastRead.event !== event) {
        lastRead.rows = readBatch(event.data)
        lastRead.event = event
      }
      return lastRead.rows
    case 'GeneratorStarted':
    case 'BatchStarted':
    case 'GeneratorStopped':
      return none
    default:
      return unexpected(event)
  }
}

function readBatch({ jobs, talents, scores, completedAt }: Completed): Map<string, MatchScoreRow> {
  const rows = new Map<string, MatchScoreRow>()
  for (const { job: jobAt, talent: talentAt, score, parts, adjustment, explanation } of scores) {
    const job = jobs[jobAt]
    const talent = talents[talentAt]
    if (!job || !talent)
      throw new Error(`the batch has a score for job ${jobAt} and talent ${talentAt}, which it does not list`)
    const row: MatchScoreRow = {
      jobId: job.jobId,
      talentId: talent.talentId,
      companyId: job.companyId,
      score,
      parts,
      adjustment,
      explanation,
      jobVersion: job.version,
      talentVersion: talent.version,
      computedAt: completedAt,
    }
    rows.set(placeOf(row), row)
  }
  return rows
}

function placeOf({ jobId, talentId }: Partial<MatchScoreRow>): string {
  return `${jobId} ${talentId}`
}

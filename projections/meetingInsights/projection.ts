import type { MeetingEvent } from '../../contracts/events/meeting.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

/** A meeting, with its insight once there is one. */
export type MeetingInsightRow = {
  readonly room: string
  readonly started_at: string
  readonly ended_at: string
  readonly insight_id: string | null
  readonly duration_seconds: number | null
  readonly company_id: string | null
  readonly job_id: string | null
  readonly talent_id: string | null
  /** Encrypted, as stored. */
  readonly summary: string | null
  readonly summary_by: 'MODEL' | 'RULE' | null
  readonly generated_at: string | null
  readonly withdrawn: boolean
}

const NO_INSIGHT = {
  insight_id: null,
  duration_seconds: null,
  company_id: null,
  job_id: null,
  talent_id: null,
  summary: null,
  summary_by: null,
  generated_at: null,
} as const

export const meetingInsights: Projection<MeetingInsightRow, MeetingEvent> = {
  name: 'meeting-insights',
  version: 1,
  categories: ['meeting'],
  table: 'meeting_insights',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['room', 'started_at', 'ended_at'],
  rowsOf: (event) => {
    if (event.type === 'RoomCreated' || event.type === 'RoomDestroyed') return []
    const { room, startedAt, endedAt } = event.data
    return [{ room, started_at: startedAt, ended_at: endedAt }]
  },
  evolve: (row, event) => {
    switch (event.type) {
      case 'MeetingHeld': {
        const { room, startedAt, endedAt } = event.data
        return { room, started_at: startedAt, ended_at: endedAt, ...NO_INSIGHT, withdrawn: false }
      }
      case 'MeetingWithdrawn':
        return { ...known(row, event), withdrawn: true }
      case 'InsightGenerated': {
        const { insightId, durationSeconds, companyId, jobId, talentId, summary, summaryBy, generatedAt } = event.data
        const links = { company_id: companyId, job_id: jobId, talent_id: talentId }
        const words = { summary, summary_by: summaryBy, generated_at: generatedAt }
        return { ...known(row, event), insight_id: insightId, duration_seconds: durationSeconds, ...links, ...words }
      }
      case 'RoomCreated':
      case 'RoomDestroyed':
        throw new Error(`${event.type} does not change a meeting by itself`)
      default:
        return unexpected(event)
    }
  },
}

function known(row: MeetingInsightRow | undefined, { type }: MeetingEvent): MeetingInsightRow {
  if (!row) throw new Error(`${type} of a meeting that was never held`)
  return row
}

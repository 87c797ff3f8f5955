import type { MeetingEvent } from '../../contracts/events/meeting.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

/** A meeting, with its insight once there is one. */
export type MeetingInsightRow = {
  readonly room: string
  readonly startedAt: string
  readonly endedAt: string
  readonly insightId: string | null
  readonly durationSeconds: number | null
  readonly companyId: string | null
  readonly jobId: string | null
  readonly talentId: string | null
  /** Encrypted, as stored. */
  readonly summary: string | null
  readonly summaryBy: 'MODEL' | 'RULE' | null
  readonly generatedAt: string | null
  readonly withdrawn: boolean
}

const NO_INSIGHT = {
  insightId: null,
  durationSeconds: null,
  companyId: null,
  jobId: null,
  talentId: null,
  summary: null,
  summaryBy: null,
  generatedAt: null,
} as const

export const meetingInsights: Projection<MeetingInsightRow, MeetingEvent> = {
  name: 'meeting-insights',
  version: 1,
  categories: ['meeting'],
  table: 'meeting_insights',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['room', 'startedAt', 'endedAt'],
  rowsOf: (event) => {
    if (event.type === 'RoomCreated' || event.type === 'RoomDestroyed') return []
    const { room, startedAt, endedAt } = event.data
    return [{ room, startedAt, endedAt }]
  },
  evolve: (row, event) => {
    switch (event.type) {
      case 'MeetingHeld': {
        const { room, startedAt, endedAt } = event.data
        return { room, startedAt, endedAt, ...NO_INSIGHT, withdrawn: false }
      }
      case 'MeetingWithdrawn':
        return { ...known(row, event), withdrawn: true }
      case 'InsightGenerated': {
        const { insightId, durationSeconds, companyId, jobId, talentId, summary, summaryBy, generatedAt } = event.data
        const insight = { insightId, durationSeconds, companyId, jobId, talentId, summary, summaryBy, generatedAt }
        return { ...known(row, event), ...insight }
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

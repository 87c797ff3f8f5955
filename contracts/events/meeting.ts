import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'

/** By its times a meeting is told from the others in its room. */
const meeting = { room: z.string(), startedAt: isoTime, endedAt: isoTime }

const subject: Subject = ({ talentId, insightId }) =>
  talentId === null ? `meeting-${insightId}` : `talent-${talentId}`

export const meetingEvents = {
  RoomCreated: event(1, z.strictObject({ room: z.string(), createdAt: isoTime })),
  RoomDestroyed: event(1, z.strictObject({ room: z.string(), destroyedAt: isoTime })),
  /** A creation and a destruction of the room have found each other. */
  MeetingHeld: event(1, z.strictObject(meeting)),
  /** News of the time in between came late: it was not one meeting. */
  MeetingWithdrawn: event(1, z.strictObject(meeting)),
  InsightGenerated: event(
    1,
    z.strictObject({
      ...meeting,
      insightId: id,
      durationSeconds: z.number().nonnegative(),
      /** Whose job or talent the room names; null: nobody's, and only super admins see it. */
      companyId: id.nullable(),
      jobId: id.nullable(),
      talentId: id.nullable(),
      summary: personal(),
      /** A model's words, held against the facts, or put together by rule. */
      summaryBy: z.enum(['MODEL', 'RULE']),
      generatedAt: isoTime,
    }),
    { subjectOf: subject },
  ),
}

export type MeetingEvent = EventUnion<typeof meetingEvents>

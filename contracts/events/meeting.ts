import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'

/** Start and end identify a meeting among those of its room. */
const meeting = { room: z.string(), startedAt: isoTime, endedAt: isoTime }

const subject: Subject = ({ talentId, insightId }) =>
  talentId === null ? `meeting-${insightId}` : `talent-${talentId}`

export const meetingEvents = {
  RoomCreated: event(1, z.strictObject({ room: z.string(), createdAt: isoTime })),
  RoomDestroyed: event(1, z.strictObject({ room: z.string(), destroyedAt: isoTime })),
  /** A creation and the matching destruction of the room have both arrived. */
  MeetingHeld: event(1, z.strictObject(meeting)),
  /** An event that arrived late showed that it was not a single meeting. */
  MeetingWithdrawn: event(1, z.strictObject(meeting)),
  InsightGenerated: event(
    1,
    z.strictObject({
      ...meeting,
      insightId: id,
      durationSeconds: z.number().nonnegative(),
      /** The company of the job or talent that the room names; null if it names none, visible to super admins only. */
      companyId: id.nullable(),
      jobId: id.nullable(),
      talentId: id.nullable(),
      summary: personal(),
      /** Written by a model and checked against the facts, or composed by rule. */
      summaryBy: z.enum(['MODEL', 'RULE']),
      generatedAt: isoTime,
    }),
    { subjectOf: subject },
  ),
}

export type MeetingEvent = EventUnion<typeof meetingEvents>

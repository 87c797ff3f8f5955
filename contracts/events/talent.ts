import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'

const subject: Subject = ({ talentId }) => `talent-${talentId}`

export const talentEvents = {
  TalentRegistered: event(
    1,
    z.strictObject({
      talentId: id,
      companyId: id,
      name: personal(),
      location: z.string().nullable(),
      seniority: z.string().nullable(),
      yearsOfExperience: z.number().nonnegative().nullable(),
      skills: z.array(z.string()),
      languages: z.array(z.string()),
      registeredAt: isoTime,
    }),
    { subjectOf: subject },
  ),
  /** The name can never be read again: its key is destroyed after this. */
  TalentErased: event(1, z.strictObject({ talentId: id, companyId: id, erasedAt: isoTime })),
}

export type TalentEvent = EventUnion<typeof talentEvents>

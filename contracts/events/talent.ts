import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'

export const talentEvents = {
  TalentRegistered: event(
    1,
    z.strictObject({
      talentId: id,
      companyId: id,
      name: z.string(),
      location: z.string().nullable(),
      seniority: z.string().nullable(),
      yearsOfExperience: z.number().nonnegative().nullable(),
      skills: z.array(z.string()),
      languages: z.array(z.string()),
      registeredAt: isoTime,
    }),
  ),
}

export type TalentEvent = EventUnion<typeof talentEvents>

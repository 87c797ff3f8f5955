import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'

export const userEvents = {
  UserRegistered: event(
    1,
    z.strictObject({
      userId: id,
      /** null: a super admin of the platform who belongs to no company. */
      companyId: id.nullable(),
      email: z.string(),
      passwordHash: z.string(),
      isSuperAdmin: z.boolean(),
      registeredAt: isoTime,
    }),
  ),
  PasswordChanged: event(1, z.strictObject({ userId: id, passwordHash: z.string(), changedAt: isoTime })),
}

export type UserEvent = EventUnion<typeof userEvents>

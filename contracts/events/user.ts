import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'

const subject: Subject = ({ userId }) => `user-${userId}`

export const userEvents = {
  UserRegistered: event(
    1,
    z.strictObject({
      userId: id,
      /** null: a super admin of the platform who belongs to no company. */
      companyId: id.nullable(),
      email: personal(),
      /** By which an address is found that cannot be read: a keyed hash of it. */
      emailLookup: z.string().regex(/^[0-9a-f]{64}$/),
      passwordHash: z.string(),
      isSuperAdmin: z.boolean(),
      registeredAt: isoTime,
    }),
    { subjectOf: subject },
  ),
  PasswordChanged: event(1, z.strictObject({ userId: id, passwordHash: z.string(), changedAt: isoTime })),
  /** The address is gone for good: its key is destroyed after this. */
  UserErased: event(1, z.strictObject({ userId: id, erasedAt: isoTime })),
}

export type UserEvent = EventUnion<typeof userEvents>

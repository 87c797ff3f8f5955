import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject, sha256 } from './definition.ts'

const subject: Subject = ({ userId }) => `user-${userId}`

export const userEvents = {
  UserRegistered: event(
    1,
    z.strictObject({
      userId: id,
      /** null for a super admin who belongs to no company. */
      companyId: id.nullable(),
      email: personal(),
      /** A keyed hash of the address, to find a user without decrypting addresses. */
      emailLookup: sha256,
      passwordHash: z.string(),
      isSuperAdmin: z.boolean(),
      registeredAt: isoTime,
    }),
    { subjectOf: subject },
  ),
  PasswordChanged: event(1, z.strictObject({ userId: id, passwordHash: z.string(), changedAt: isoTime })),
  PasswordResetRequested: event(
    1,
    z.strictObject({
      userId: id,
      resetId: id,
      /** The link itself can be derived from the id, but only with JWT_SECRET. */
      tokenHash: sha256,
      requestedAt: isoTime,
      expiresAt: isoTime,
    }),
  ),
  /** From then on, a user who had left a company belongs to this one, with a new password. It may be the same company. */
  UserJoined: event(1, z.strictObject({ userId: id, companyId: id, passwordHash: z.string(), joinedAt: isoTime })),
  /** Access tokens signed before this are refused. */
  SignedOutEverywhere: event(1, z.strictObject({ userId: id, signedOutAt: isoTime })),
  /** The address can never be read again: its key is destroyed after this. */
  UserErased: event(1, z.strictObject({ userId: id, erasedAt: isoTime })),
}

export type UserEvent = EventUnion<typeof userEvents>

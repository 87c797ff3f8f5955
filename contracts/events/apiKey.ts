import { z } from 'zod'
import { SCOPES } from '../scopes.ts'
import { type EventUnion, event, id, isoTime } from './definition.ts'

export const apiKeyEvents = {
  ApiKeyMinted: event(
    1,
    z.strictObject({
      keyId: id,
      companyId: id,
      name: z.string(),
      /** SHA-256 of the raw key, in hex. The raw key is shown once and never stored. */
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      /** The first characters of the raw key, so that a person can tell their keys apart. */
      hint: z.string(),
      scopes: z.array(z.enum(SCOPES)),
      /** null: every alias. */
      models: z.array(z.string()).nullable(),
      rpm: z.int().positive(),
      tpm: z.int().positive(),
      expiresAt: isoTime.nullable(),
      /** The key from whose rotation this one came; null if it was minted alone. */
      rotatedFrom: id.nullable(),
      mintedAt: isoTime,
    }),
  ),
  ApiKeyRotated: event(1, z.strictObject({ keyId: id, siblingKeyId: id, rotatedAt: isoTime })),
  ApiKeyRevoked: event(1, z.strictObject({ keyId: id, revokedAt: isoTime })),
  ApiKeyExpired: event(1, z.strictObject({ keyId: id, expiredAt: isoTime })),
}

export type ApiKeyEvent = EventUnion<typeof apiKeyEvents>

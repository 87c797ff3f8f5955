import { z } from 'zod'
import { SCOPES } from '../scopes.ts'
import { type EventUnion, event, id, isoTime, positiveMicros } from './definition.ts'

export const BUDGET_PERIODS = ['DAY', 'MONTH', 'TOTAL'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

/** The most that may be spent in a period, which begins and ends at midnight UTC. */
export const keyBudget = z.strictObject({ amountMicros: positiveMicros, period: z.enum(BUDGET_PERIODS) })
export type KeyBudget = z.infer<typeof keyBudget>

export const apiKeyEvents = {
  ApiKeyMinted: event(
    3,
    z.strictObject({
      keyId: id,
      companyId: id,
      name: z.string(),
      /** SHA-256 of the raw key, in hex. The raw key is shown once and never stored. */
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      /** The first characters of the raw key, so that people can tell their keys apart. */
      hint: z.string(),
      scopes: z.array(z.enum(SCOPES)),
      /** null: every alias. */
      models: z.array(z.string()).nullable(),
      rpm: z.int().positive(),
      tpm: z.int().positive(),
      expiresAt: isoTime.nullable(),
      /** The key that this one was rotated from; null if it was minted directly. */
      rotatedFrom: id.nullable(),
      /** The label of calls that have none. */
      label: z.string().nullable(),
      /** All keys of a rotation share one budget: that of the first key, or its last change in any of them. */
      budget: keyBudget.nullable(),
      /** The user who minted or rotated it; null if unknown. */
      mintedBy: id.nullable(),
      mintedAt: isoTime,
    }),
    {
      upcasters: {
        1: (data) => ({ ...data, label: null, budget: null }),
        2: (data) => ({ ...data, mintedBy: null }),
      },
    },
  ),
  /** Only the changed settings. */
  ApiKeyUpdated: event(
    1,
    z.strictObject({
      keyId: id,
      name: z.string().optional(),
      scopes: z.array(z.enum(SCOPES)).optional(),
      models: z.array(z.string()).nullable().optional(),
      rpm: z.int().positive().optional(),
      tpm: z.int().positive().optional(),
      expiresAt: isoTime.nullable().optional(),
      label: z.string().nullable().optional(),
      budget: keyBudget.nullable().optional(),
      updatedAt: isoTime,
    }),
  ),
  ApiKeyRotated: event(1, z.strictObject({ keyId: id, siblingKeyId: id, rotatedAt: isoTime })),
  ApiKeyRevoked: event(1, z.strictObject({ keyId: id, revokedAt: isoTime })),
  ApiKeyExpired: event(1, z.strictObject({ keyId: id, expiredAt: isoTime })),
}

export type ApiKeyEvent = EventUnion<typeof apiKeyEvents>

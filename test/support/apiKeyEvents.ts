import { randomUUID } from 'node:crypto'
import type { ApiKeyEvent } from '../../contracts/events/apiKey.ts'
import { AT } from './ledgerEvents.ts'

type Minted = Extract<ApiKeyEvent, { type: 'ApiKeyMinted' }>['data']

export function minted(keyId: string, changes: Partial<Minted> = {}): ApiKeyEvent {
  return {
    type: 'ApiKeyMinted',
    data: {
      keyId,
      companyId: randomUUID(),
      name: 'production',
      hash: 'ab'.repeat(32),
      hint: 'sk-tollgate-abcd',
      scopes: ['inference:chat', 'usage:read'],
      models: ['svc/chat-default'],
      rpm: 600,
      tpm: 200_000,
      expiresAt: null,
      rotatedFrom: null,
      mintedAt: AT,
      ...changes,
    },
  }
}

export const revoked = (keyId: string, revokedAt = AT): ApiKeyEvent => ({
  type: 'ApiKeyRevoked',
  data: { keyId, revokedAt },
})

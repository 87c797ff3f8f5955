import { randomUUID } from 'node:crypto'
import type { ApiKeyEvent } from '../../../contracts/events/apiKey.ts'
import type { BillingMode, CompanyEvent } from '../../../contracts/events/company.ts'
import type { EventData } from '../../../contracts/events/eventsByCategory.ts'
import type { JobEvent } from '../../../contracts/events/job.ts'
import type { PricingEvent } from '../../../contracts/events/pricing.ts'
import type { TalentEvent } from '../../../contracts/events/talent.ts'
import type { UserEvent } from '../../../contracts/events/user.ts'
import type { Role } from '../../../contracts/roles.ts'
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
      label: null,
      budget: null,
      rotatedFrom: null,
      mintedBy: null,
      mintedAt: AT,
      ...changes,
    },
  }
}

export function revoked(keyId: string, revokedAt = AT): ApiKeyEvent {
  return { type: 'ApiKeyRevoked', data: { keyId, revokedAt } }
}

export function registered(companyId: string, name = 'Acme'): CompanyEvent {
  const data = { companyId, name, billingMode: 'PREPAID', hardCap: false, registeredAt: AT } as const
  return { type: 'CompanyRegistered', data }
}

export function hardCapChanged(companyId: string, hardCap: boolean): CompanyEvent {
  return { type: 'HardCapChanged', data: { companyId, hardCap, changedAt: AT } }
}

export function billingModeChanged(companyId: string, billingMode: BillingMode): CompanyEvent {
  return { type: 'BillingModeChanged', data: { companyId, billingMode, planId: null, changedAt: AT } }
}

export function creditLimitChanged(companyId: string, limitMicros: string | null): CompanyEvent {
  return { type: 'CreditLimitChanged', data: { companyId, limitMicros, changedAt: AT } }
}

export function suspended(companyId: string, reason = 'an unpaid debt'): CompanyEvent {
  return { type: 'CompanySuspended', data: { companyId, reason, disputeId: null, suspendedAt: AT } }
}

export function resumed(companyId: string): CompanyEvent {
  return { type: 'CompanyResumed', data: { companyId, resumedAt: AT } }
}

/** null: never. */
export function noticeSettingsChanged(companyId: string, lowBalanceMicros: string | null): CompanyEvent {
  const lowBalance = lowBalanceMicros === null ? 'OFF' : 'AMOUNT'
  return { type: 'NoticeSettingsChanged', data: { companyId, lowBalance, lowBalanceMicros, changedAt: AT } }
}

export function roleAssigned(companyId: string, userId: string, role: Role = 'ADMIN'): CompanyEvent {
  return { type: 'RoleAssigned', data: { companyId, userId, role, assignedAt: AT } }
}

export function userRemoved(companyId: string, userId: string): CompanyEvent {
  return { type: 'UserRemoved', data: { companyId, userId, removedAt: AT } }
}

export function webhookEndpointCreated(
  companyId: string,
  endpointId: string,
  changes: Partial<EventData<'WebhookEndpointCreated'>> = {},
): CompanyEvent {
  const data = { url: 'https://hooks.example/', types: ['balance.low' as const], sealedSecret: '1.c2VhbGVk' }
  return { type: 'WebhookEndpointCreated', data: { companyId, endpointId, ...data, createdAt: AT, ...changes } }
}

export function userInvited(companyId: string, invitationId: string, email = 'eve@example.com'): CompanyEvent {
  const person = { email, emailLookup: 'cd'.repeat(32), role: 'BILLING', tokenHash: 'ef'.repeat(32) } as const
  const times = { invitedAt: AT, expiresAt: '2099-01-01T00:00:00.000Z' }
  return { type: 'UserInvited', data: { companyId, invitationId, ...person, invitedBy: companyId, ...times } }
}

export function jobPosted(jobId: string, companyId: string, title = 'Welder'): JobEvent {
  const details = { location: 'Zürich', employmentType: 'full-time', seniority: null }
  const requirements = ['MIG', 'reads "drawings", \\ and 東京']
  const data = { jobId, companyId, title, ...details, requirements, metadata: { team: { size: 4 } }, postedAt: AT }
  return { type: 'JobPosted', data }
}

export function jobPublished(jobId: string, companyId: string, publishedAt = AT): JobEvent {
  return { type: 'JobPublished', data: { jobId, companyId, publishedAt } }
}

export function jobClosed(jobId: string, companyId: string): JobEvent {
  return { type: 'JobClosed', data: { jobId, companyId, closedAt: AT } }
}

export function published(
  bookId: string,
  effectiveFrom = AT,
  rate = '1000000',
  changes: Partial<PricingEvent['data']> = {},
): PricingEvent {
  const price = { rates: { input: rate, output: rate } }
  const prices = { 'svc/chat-default': price, 'svc/chat-cheap': price }
  const book = { bookId, companyId: null, effectiveFrom, prices, retired: [], replacesAll: false, publishedAt: AT }
  return { type: 'PriceBookPublished', data: { ...book, ...changes } }
}

export function userRegistered(userId: string, companyId: string | null, email = 'ada@example.com'): UserEvent {
  const person = { email, emailLookup: 'ab'.repeat(32), passwordHash: '$scrypt$ln=15,r=8,p=3$c2FsdA$aGFzaA' }
  return { type: 'UserRegistered', data: { userId, companyId, ...person, isSuperAdmin: !companyId, registeredAt: AT } }
}

export function userErased(userId: string): UserEvent {
  return { type: 'UserErased', data: { userId, erasedAt: AT } }
}

export function talentRegistered(talentId: string, companyId: string, name = 'Ada'): TalentEvent {
  const profile = { location: 'Zürich', seniority: null, yearsOfExperience: 12.5, skills: ['MIG'], languages: ['de'] }
  return { type: 'TalentRegistered', data: { talentId, companyId, name, ...profile, registeredAt: AT } }
}

export function talentErased(talentId: string, companyId: string): TalentEvent {
  return { type: 'TalentErased', data: { talentId, companyId, erasedAt: AT } }
}

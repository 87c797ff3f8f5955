import { z } from 'zod'
import { NOTICE_TYPES } from '../noticeTypes.ts'
import { ROLES } from '../roles.ts'
import { type EventUnion, event, id, isoTime, personal, positiveMicros, type Subject, sha256 } from './definition.ts'
import { providerId } from './payment.ts'

export const BILLING_MODES = ['PREPAID', 'POSTPAID'] as const
export type BillingMode = (typeof BILLING_MODES)[number]

/** When the balance of a company counts as low: below a tenth of the last top-up, below a custom amount, or never. */
export const LOW_BALANCE_RULES = ['DEFAULT', 'AMOUNT', 'OFF'] as const

/** An invitation has its own key: the person may never become a user, and the address is erased when it ends. */
const invitationSubject: Subject = ({ invitationId }) => `invitation-${invitationId}`

export const companyEvents = {
  CompanyRegistered: event(
    1,
    z.strictObject({
      companyId: id,
      name: z.string(),
      billingMode: z.enum(BILLING_MODES),
      hardCap: z.boolean(),
      registeredAt: isoTime,
    }),
  ),
  BillingModeChanged: event(
    2,
    z.strictObject({
      companyId: id,
      billingMode: z.enum(BILLING_MODES),
      /** The plan by which a POSTPAID company pays; null if it is PREPAID. */
      planId: id.nullable(),
      changedAt: isoTime,
    }),
    { upcasters: { 1: (data) => ({ ...data, planId: null }) } },
  ),
  HardCapChanged: event(1, z.strictObject({ companyId: id, hardCap: z.boolean(), changedAt: isoTime })),
  /** How far below zero the balance may go while the company is POSTPAID; null if there is no limit. */
  CreditLimitChanged: event(
    1,
    z.strictObject({ companyId: id, limitMicros: positiveMicros.nullable(), changedAt: isoTime }),
  ),
  /** The customer id of the company at the payment provider. */
  PaymentCustomerAssigned: event(1, z.strictObject({ companyId: id, customerId: providerId, assignedAt: isoTime })),
  /** Also for a user who previously had another role. */
  RoleAssigned: event(1, z.strictObject({ companyId: id, userId: id, role: z.enum(ROLES), assignedAt: isoTime })),
  /** From then on the user has no role in the company and cannot sign in. */
  UserRemoved: event(1, z.strictObject({ companyId: id, userId: id, removedAt: isoTime })),
  /** From then on calls of the company are refused. Also for a suspended company, with another reason. */
  CompanySuspended: event(
    2,
    z.strictObject({
      companyId: id,
      reason: z.string(),
      /** The open dispute that it follows from; null if a person suspended the company. */
      disputeId: providerId.nullable(),
      suspendedAt: isoTime,
    }),
    { upcasters: { 1: (data) => ({ ...data, disputeId: null }) } },
  ),
  CompanyResumed: event(1, z.strictObject({ companyId: id, resumedAt: isoTime })),
  NoticeSettingsChanged: event(
    1,
    z.strictObject({
      companyId: id,
      lowBalance: z.enum(LOW_BALANCE_RULES),
      /** For the rule AMOUNT; null otherwise. */
      lowBalanceMicros: positiveMicros.nullable(),
      changedAt: isoTime,
    }),
  ),
  /** From then on the company's messages of these types are sent to the address. */
  WebhookEndpointCreated: event(
    1,
    z.strictObject({
      companyId: id,
      endpointId: id,
      url: z.string(),
      types: z.array(z.enum(NOTICE_TYPES)),
      /** The signing secret, encrypted with a key that is not stored. */
      sealedSecret: z.string(),
      createdAt: isoTime,
    }),
  ),
  /** Its receiver answered that it is gone, so nothing more is sent to it. */
  WebhookEndpointDisabled: event(
    1,
    z.strictObject({ companyId: id, endpointId: id, reason: z.string(), disabledAt: isoTime }),
  ),
  WebhookEndpointDeleted: event(1, z.strictObject({ companyId: id, endpointId: id, deletedAt: isoTime })),
  UserInvited: event(
    1,
    z.strictObject({
      companyId: id,
      invitationId: id,
      email: personal(),
      /** As in UserRegistered. */
      emailLookup: sha256,
      role: z.enum(ROLES),
      /** The link itself can be derived from the id, but only with JWT_SECRET. */
      tokenHash: sha256,
      invitedBy: id,
      invitedAt: isoTime,
      expiresAt: isoTime,
    }),
    { subjectOf: invitationSubject },
  ),
  InvitationAccepted: event(1, z.strictObject({ companyId: id, invitationId: id, userId: id, acceptedAt: isoTime })),
  /** By a person, by a newer invitation to the same address, or because its sender may no longer invite. */
  InvitationWithdrawn: event(1, z.strictObject({ companyId: id, invitationId: id, withdrawnAt: isoTime })),
  /** A super admin read data of the company. Recorded at most once an hour. */
  CompanyAccessed: event(1, z.strictObject({ companyId: id, userId: id, accessedAt: isoTime })),
}

export type CompanyEvent = EventUnion<typeof companyEvents>

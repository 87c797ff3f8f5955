import type { BillingMode, CompanyEvent } from '../../contracts/events/company.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { DEFAULT_RULE, type LowBalanceRule, lowBalanceRuleOf, requireRule, sameRule } from '../ledger/lowBalanceRule.ts'
import { requireText } from '../text.ts'
import {
  decideInvitations,
  evolveInvitations,
  type Invitations,
  type InvitationsCommand,
  invitationsEndedBy,
} from './invitations.ts'
import { decideMembers, evolveMembers, type Members, type MembersCommand } from './members.ts'
import { decideSuspension, evolveSuspension, type Suspension, type SuspensionCommand } from './suspension.ts'
import {
  decideWebhookEndpoints,
  evolveWebhookEndpoints,
  type WebhookEndpointCommand,
  type WebhookEndpoints,
} from './webhookEndpoints.ts'

export type CompanyState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'registered'
      readonly billingMode: BillingMode
      readonly hardCap: boolean
      /** How far below zero a POSTPAID company may go; missing if there is no limit. */
      readonly creditLimitMicros?: bigint | undefined
      /** The plan of a POSTPAID company, current or last; missing if it never had one. */
      readonly planId?: string
      /** The customer id at the payment provider, once there is one. */
      readonly customerId?: string
      /** Missing until the first role is assigned. */
      readonly members?: Members
      /** Why its calls are refused; missing if they are not. */
      readonly suspension?: Suspension | undefined
      /** The disputes that have suspended it, also if it was resumed since. Missing until the first one. */
      readonly suspendedByDisputes?: readonly string[]
      /** Missing until it is set. */
      readonly lowBalance?: LowBalanceRule
      /** Missing until the first one is created. */
      readonly webhookEndpoints?: WebhookEndpoints
      /** Missing until the first user is invited. */
      readonly invitations?: Invitations
    }

export function evolve(state: CompanyState, event: CompanyEvent): CompanyState {
  switch (event.type) {
    case 'CompanyRegistered':
      return { status: 'registered', billingMode: event.data.billingMode, hardCap: event.data.hardCap }
    case 'BillingModeChanged':
      return state.status === 'registered' ? { ...state, ...modeOf(event.data) } : state
    case 'HardCapChanged':
      return state.status === 'registered' ? { ...state, hardCap: event.data.hardCap } : state
    case 'CreditLimitChanged': {
      const { limitMicros } = event.data
      const creditLimitMicros = limitMicros === null ? undefined : BigInt(limitMicros)
      return state.status === 'registered' ? { ...state, creditLimitMicros } : state
    }
    case 'PaymentCustomerAssigned':
      return state.status === 'registered' ? { ...state, customerId: event.data.customerId } : state
    case 'RoleAssigned':
    case 'UserRemoved':
      return state.status === 'registered' ? { ...state, members: evolveMembers(state.members, event) } : state
    case 'CompanySuspended': {
      if (state.status !== 'registered') return state
      const { disputeId } = event.data
      const { suspendedByDisputes = [] } = state
      const byDispute = disputeId === null ? {} : { suspendedByDisputes: [...suspendedByDisputes, disputeId] }
      return { ...state, ...byDispute, suspension: evolveSuspension(state.suspension, event.data) }
    }
    case 'CompanyResumed':
      return state.status === 'registered' ? { ...state, suspension: undefined } : state
    case 'NoticeSettingsChanged':
      return state.status === 'registered' ? { ...state, lowBalance: lowBalanceRuleOf(event.data) } : state
    case 'WebhookEndpointCreated':
    case 'WebhookEndpointDisabled':
    case 'WebhookEndpointDeleted': {
      if (state.status !== 'registered') return state
      return { ...state, webhookEndpoints: evolveWebhookEndpoints(state.webhookEndpoints, event) }
    }
    case 'UserInvited':
    case 'InvitationAccepted':
    case 'InvitationWithdrawn':
      return state.status === 'registered'
        ? { ...state, invitations: evolveInvitations(state.invitations, event) }
        : state
    case 'CompanyAccessed':
      return state
    default:
      return unexpected(event)
  }
}

export type CompanyCommand =
  | MembersCommand
  | WebhookEndpointCommand
  | InvitationsCommand
  | SuspensionCommand
  /** A super admin reads data of the company. The command id determines how often it is recorded. */
  | { readonly type: 'RecordAccess'; readonly companyId: string; readonly userId: string; readonly at: string }
  | {
      readonly type: 'RegisterCompany'
      readonly companyId: string
      readonly name: string
      readonly billingMode: BillingMode
      /** For a POSTPAID company. */
      readonly planId?: string | null
      readonly at: string
    }
  | {
      readonly type: 'ChangeBillingMode'
      readonly companyId: string
      readonly billingMode: BillingMode
      /** null: keep the plan. */
      readonly planId: string | null
      readonly at: string
    }
  | {
      readonly type: 'ChangeCreditLimit'
      readonly companyId: string
      /** null: no limit. */
      readonly limitMicros: bigint | null
      readonly at: string
    }
  | { readonly type: 'ChangeHardCap'; readonly companyId: string; readonly hardCap: boolean; readonly at: string }
  | {
      readonly type: 'ChangeNoticeSettings'
      readonly companyId: string
      readonly lowBalance: LowBalanceRule
      readonly at: string
    }
  | {
      readonly type: 'AssignPaymentCustomer'
      readonly companyId: string
      readonly customerId: string
      /** The customer id that the provider no longer knows, for example after leaving test mode; null if there was none. */
      readonly replaces: string | null
      readonly at: string
    }

export function decide(command: CompanyCommand, state: CompanyState): CompanyEvent[] {
  const { companyId } = command
  switch (command.type) {
    case 'RegisterCompany': {
      if (state.status === 'registered') throw new Refusal('CONFLICT', `company ${companyId} exists already`)
      const name = requireText(command.name, 'the name of a company', NAME_CHARS_MAX)
      const { billingMode, planId = null, at } = command
      const registered: CompanyEvent = {
        type: 'CompanyRegistered',
        data: { companyId, name, billingMode, hardCap: false, registeredAt: at },
      }
      if (planId === null) return [registered]
      if (billingMode === 'PREPAID') throw withoutPlan()
      return [registered, { type: 'BillingModeChanged', data: { companyId, billingMode, planId, changedAt: at } }]
    }
    case 'ChangeBillingMode': {
      const { billingMode: mode, planId: before = null } = requireRegistered(state, companyId)
      const { billingMode, at } = command
      if (billingMode === 'PREPAID') {
        if (command.planId !== null) throw withoutPlan()
        if (mode === 'PREPAID') return []
        return [{ type: 'BillingModeChanged', data: { companyId, billingMode, planId: null, changedAt: at } }]
      }
      const planId = command.planId ?? before
      if (planId === null) throw new Refusal('INVALID', 'a POSTPAID company needs a plan: give its planId')
      if (mode === billingMode && planId === before) return []
      return [{ type: 'BillingModeChanged', data: { companyId, billingMode, planId, changedAt: at } }]
    }
    case 'ChangeHardCap': {
      const { hardCap } = requireRegistered(state, companyId)
      if (hardCap === command.hardCap) return []
      return [{ type: 'HardCapChanged', data: { companyId, hardCap: command.hardCap, changedAt: command.at } }]
    }
    case 'ChangeCreditLimit': {
      const { creditLimitMicros: before = null } = requireRegistered(state, companyId)
      const { limitMicros: after, at: changedAt } = command
      if (before === after) return []
      const limitMicros = after === null ? null : requireAmount(after, 'a credit limit')
      return [{ type: 'CreditLimitChanged', data: { companyId, limitMicros, changedAt } }]
    }
    case 'AssignPaymentCustomer': {
      // Two concurrent checkouts may both create a customer at the provider; the first one recorded stays.
      if ((requireRegistered(state, companyId).customerId ?? null) !== command.replaces) return []
      return [
        {
          type: 'PaymentCustomerAssigned',
          data: { companyId, customerId: command.customerId, assignedAt: command.at },
        },
      ]
    }
    case 'SuspendCompany':
    case 'ResumeCompany': {
      const { suspension, suspendedByDisputes } = requireRegistered(state, companyId)
      return decideSuspension(command, suspension, suspendedByDisputes)
    }
    case 'ChangeNoticeSettings': {
      const { lowBalance = DEFAULT_RULE } = requireRegistered(state, companyId)
      if (sameRule(lowBalance, command.lowBalance)) return []
      const rule = requireRule(command.lowBalance)
      return [{ type: 'NoticeSettingsChanged', data: { companyId, ...rule, changedAt: command.at } }]
    }
    case 'AssignRole':
    case 'RemoveUser': {
      const { members = {}, invitations = {} } = requireRegistered(state, companyId)
      const changes = decideMembers(command, members)
      return [...changes, ...invitationsEndedBy(changes, invitations, command.at)]
    }
    case 'InviteUser':
    case 'AcceptInvitation':
    case 'WithdrawInvitation': {
      const { members = {}, invitations = {} } = requireRegistered(state, companyId)
      return decideInvitations(command, members, invitations)
    }
    case 'RecordAccess':
      requireRegistered(state, companyId)
      return [{ type: 'CompanyAccessed', data: { companyId, userId: command.userId, accessedAt: command.at } }]
    case 'CreateWebhookEndpoint':
    case 'DisableWebhookEndpoint':
    case 'DeleteWebhookEndpoint':
      return decideWebhookEndpoints(command, requireRegistered(state, companyId).webhookEndpoints ?? {})
    default:
      return unexpected(command)
  }
}

/** The plan outlives the mode: it still applies to what a company owes after leaving POSTPAID. */
function modeOf({ billingMode, planId }: { readonly billingMode: BillingMode; readonly planId: string | null }) {
  return planId === null ? { billingMode } : { billingMode, planId }
}

function withoutPlan(): Refusal {
  return new Refusal('INVALID', 'only a POSTPAID company has a plan that is set with its billing mode')
}

function requireRegistered(state: CompanyState, companyId: string) {
  if (state.status !== 'registered') throw new Refusal('NOT_FOUND', `there is no company ${companyId}`)
  return state
}

export const companyDecider: Decider<CompanyState, CompanyCommand, CompanyEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}

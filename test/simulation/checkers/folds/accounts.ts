import { grouped, ofCategory, only } from '../events.ts'
import type { Fold, Row } from './fold.ts'

const apiKeys: Fold = {
  table: 'api_keys',
  key: ['key_id'],
  rowsOf: (events) => {
    const changes = grouped(only(events, 'ApiKeyUpdated', 'ApiKeyRevoked', 'ApiKeyExpired'), ({ data }) => data.keyId)
    return only(events, 'ApiKeyMinted').map(({ data }): Row => {
      const row: Record<string, unknown> = {
        key_id: data.keyId,
        company_id: data.companyId,
        name: data.name,
        hash: data.hash,
        hint: data.hint,
        scopes: data.scopes,
        models: data.models,
        rpm: data.rpm,
        tpm: data.tpm,
        status: 'LIVE',
        expires_at: data.expiresAt,
        rotated_from: data.rotatedFrom,
        minted_at: data.mintedAt,
        revoked_at: null,
        label: data.label,
        budget_micros: data.budget?.amountMicros,
        budget_period: data.budget?.period,
        // A key that was rotated from another one has its budget, until it is changed here.
        budget_set_at: data.rotatedFrom === null ? data.mintedAt : null,
        minted_by: data.mintedBy,
      }
      for (const change of changes.get(data.keyId) ?? []) {
        if (change.type === 'ApiKeyRevoked')
          Object.assign(row, { status: 'REVOKED', revoked_at: change.data.revokedAt })
        else if (change.type === 'ApiKeyExpired') row.status = 'EXPIRED'
        else {
          const { keyId: _keyId, updatedAt, expiresAt, budget, ...settings } = change.data
          Object.assign(row, settings)
          if (expiresAt !== undefined) row.expires_at = expiresAt
          if (budget === undefined) continue
          row.budget_micros = budget?.amountMicros
          row.budget_period = budget?.period
          row.budget_set_at = updatedAt
        }
      }
      return row
    })
  },
}

const companies: Fold = {
  table: 'companies',
  key: ['company_id'],
  rowsOf: (events) =>
    only(events, 'CompanyRegistered').map(({ data, stream }): Row => {
      const own = events.filter((event) => event.stream === stream)
      const mode = only(own, 'BillingModeChanged')
      const suspension = only(own, 'CompanySuspended', 'CompanyResumed').at(-1)
      const isSuspended = suspension?.type === 'CompanySuspended'
      const notices = only(own, 'NoticeSettingsChanged').at(-1)?.data
      return {
        company_id: data.companyId,
        name: data.name,
        billing_mode: mode.at(-1)?.data.billingMode ?? data.billingMode,
        hard_cap: only(own, 'HardCapChanged').at(-1)?.data.hardCap ?? data.hardCap,
        registered_at: data.registeredAt,
        suspended_at: isSuspended ? suspension.data.suspendedAt : null,
        suspended_reason: isSuspended ? suspension.data.reason : null,
        low_balance: notices?.lowBalance ?? 'DEFAULT',
        low_balance_micros: notices?.lowBalanceMicros,
        ...postpaidOf(mode.map((event) => event.data)),
      }
    }),
}

type ModeChange = { readonly billingMode: string; readonly planId: string | null; readonly changedAt: string }

/** The last time that the company pays by invoice: since when, until when, and by which plan. */
function postpaidOf(changes: readonly ModeChange[]) {
  const withPlan = changes.filter(({ planId }) => planId !== null)
  const last = withPlan.at(-1)
  if (!last) return { plan_id: null, postpaid_since: null, postpaid_until: null }
  const isPrepaid = ({ billingMode }: ModeChange) => billingMode === 'PREPAID'
  const before = changes.slice(0, changes.indexOf(last)).findLastIndex(isPrepaid)
  const first = changes.slice(before + 1).find(({ planId }) => planId !== null)
  // The mode may be set to PREPAID again: the last time counts.
  const end = changes.slice(changes.indexOf(last)).findLast(isPrepaid)
  return { plan_id: last.planId, postpaid_since: first?.changedAt, postpaid_until: end?.changedAt }
}

const members: Fold = {
  table: 'members',
  key: ['company_id', 'user_id'],
  rowsOf: (events) => {
    const changes = grouped(
      only(events, 'RoleAssigned', 'UserRemoved'),
      ({ data }) => `${data.companyId} ${data.userId}`,
    )
    return [...changes.values()].map((all): Row => {
      const last = all.at(-1)
      const owner = { company_id: last?.data.companyId, user_id: last?.data.userId }
      return last?.type === 'RoleAssigned'
        ? { ...owner, role: last.data.role, changed_at: last.data.assignedAt }
        : { ...owner, role: null, changed_at: last?.data.removedAt }
    })
  },
}

const invitations: Fold = {
  table: 'invitations',
  key: ['invitation_id'],
  rowsOf: (events) => {
    const ends = new Map(
      only(events, 'InvitationAccepted', 'InvitationWithdrawn').map((event) => [event.data.invitationId, event]),
    )
    return only(events, 'UserInvited').map(({ data }): Row => {
      const end = ends.get(data.invitationId)
      const accepted = end?.type === 'InvitationAccepted' ? { status: 'ACCEPTED', ended_at: end.data.acceptedAt } : null
      const withdrawn =
        end?.type === 'InvitationWithdrawn' ? { status: 'WITHDRAWN', ended_at: end.data.withdrawnAt } : null
      return {
        invitation_id: data.invitationId,
        company_id: data.companyId,
        email: end ? null : data.email,
        email_lookup: end ? null : data.emailLookup,
        role: data.role,
        invited_by: data.invitedBy,
        invited_at: data.invitedAt,
        expires_at: data.expiresAt,
        ...(accepted ?? withdrawn ?? { status: 'OPEN', ended_at: null }),
      }
    })
  },
}

const users: Fold = {
  table: 'users',
  key: ['user_id'],
  rowsOf: (events) => {
    const changes = grouped(ofCategory(events, 'user'), ({ stream }) => stream)
    return only(events, 'UserRegistered').map(({ data, stream }): Row => {
      const own = changes.get(stream) ?? []
      const passwords = only(own, 'UserRegistered', 'PasswordChanged', 'UserJoined')
      const joined = only(own, 'UserJoined')
      const erased = only(own, 'UserErased').at(-1)
      return {
        user_id: data.userId,
        company_id: joined.at(-1)?.data.companyId ?? data.companyId,
        email: erased ? null : data.email,
        email_lookup: erased ? null : data.emailLookup,
        password_hash: erased ? null : passwords.at(-1)?.data.passwordHash,
        is_super_admin: data.isSuperAdmin,
        token_version: only(own, 'PasswordChanged', 'UserJoined', 'SignedOutEverywhere').length,
        registered_at: data.registeredAt,
        erased_at: erased?.data.erasedAt,
      }
    })
  },
}

export const accountFolds: readonly Fold[] = [apiKeys, companies, members, invitations, users]

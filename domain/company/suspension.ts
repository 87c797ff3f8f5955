import type { CompanyEvent } from '../../contracts/events/company.ts'
import { requireText } from '../text.ts'

const REASON_CHARS_MAX = 500

/** Why the calls of a company are refused. */
export type Suspension = {
  readonly reason: string
  /** Only a person ends a suspension by a person. */
  readonly isByPerson: boolean
  /** The disputes that suspended it, whether or not they are still open. */
  readonly disputes: readonly string[]
}

export type SuspensionCommand =
  /** Suspending a suspended company replaces the reason. */
  | {
      readonly type: 'SuspendCompany'
      readonly companyId: string
      readonly reason: string
      /** The open dispute that it follows from. Missing if a person suspends the company. */
      readonly disputeId?: string
      readonly at: string
    }
  | {
      readonly type: 'ResumeCompany'
      readonly companyId: string
      /**
       * The disputes that are over. A suspension by other disputes or by a person stays. Missing if a person ends the
       * suspension, whatever its reason.
       */
      readonly overDisputes?: readonly string[]
      readonly at: string
    }

export function evolveSuspension(
  before: Suspension | undefined,
  { reason, disputeId }: Extract<CompanyEvent, { type: 'CompanySuspended' }>['data'],
): Suspension {
  const { isByPerson = false, disputes = [] } = before ?? {}
  return disputeId === null
    ? { reason, isByPerson: true, disputes }
    : { reason, isByPerson, disputes: [...disputes, disputeId] }
}

/** `suspendedBefore`: the disputes that have suspended the company. Each does so once, since a person may have resumed it. */
export function decideSuspension(
  command: SuspensionCommand,
  before: Suspension | undefined,
  suspendedBefore: readonly string[] = [],
): CompanyEvent[] {
  const { companyId, at } = command
  if (command.type === 'ResumeCompany') {
    const { overDisputes } = command
    const stays = overDisputes && (before?.isByPerson || before?.disputes.some((id) => !overDisputes.includes(id)))
    return !before || stays ? [] : [{ type: 'CompanyResumed', data: { companyId, resumedAt: at } }]
  }
  const { disputeId = null } = command
  const reason = requireText(command.reason, 'the reason of a suspension', REASON_CHARS_MAX)
  const isKnown =
    disputeId === null ? before?.isByPerson && before.reason === reason : suspendedBefore.includes(disputeId)
  if (isKnown || (disputeId !== null && before?.isByPerson)) return []
  return [{ type: 'CompanySuspended', data: { companyId, reason, disputeId, suspendedAt: at } }]
}

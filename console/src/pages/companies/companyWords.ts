import type { CompanyFieldsFragment, CompanyFiguresQuery } from '../../graphql/generated.ts'
import { hasPart } from '../../parts/values/hasPart.ts'

export type Company = CompanyFieldsFragment

/** The figures of a company from its ledger and invoices. */
export type Figures = {
  readonly balanceMicros: bigint
  readonly spentMicros: bigint
  readonly calls: number
  readonly overdue: readonly { readonly id: string; readonly amount: number; readonly currency: string }[]
}

export const MODES = { PREPAID: 'Prepaid', POSTPAID: 'Postpaid' } as const

export function figuresOf({ creditBalance, usage, invoices }: CompanyFiguresQuery): Figures {
  return {
    balanceMicros: BigInt(creditBalance.amountMicros),
    spentMicros: usage.nodes.reduce((sum, { amountMicros }) => sum + BigInt(amountMicros), 0n),
    calls: usage.nodes.reduce((sum, { requests }) => sum + requests, 0),
    overdue: invoices.filter(({ overdue }) => overdue),
  }
}

/** Why an adjustment cannot be sent, by field. */
export function adjustmentFaults(
  credits: string,
  reason: string,
): { readonly credits?: string; readonly reason?: string } {
  const isAmount = /^-?\d+(\.\d{1,6})?$/.test(credits.trim()) && Number(credits) !== 0
  return {
    ...(!isAmount && {
      credits: 'Enter a number of credits other than 0, with up to six decimals. A negative number takes credits.',
    }),
    ...(reason.trim() === '' && { reason: 'Give a reason: the company and its auditors will see it in the ledger.' }),
  }
}

type GrantDraft = { readonly credits: string; readonly reason: string; readonly expires: string }

/** Why a grant cannot be sent, by field. */
export function grantFaults({ credits, reason, expires }: GrantDraft, nowMs: number): Partial<GrantDraft> {
  const isAmount = /^\d+(\.\d{1,6})?$/.test(credits.trim()) && Number(credits) > 0
  return {
    ...(!isAmount && { credits: 'Enter a number of credits above 0, with up to six decimals.' }),
    ...(reason.trim() === '' && { reason: 'Give a reason: the company and its auditors will see it in the ledger.' }),
    ...(expires !== '' && !(Date.parse(expires) > nowMs) && { expires: 'Choose a time in the future.' }),
  }
}

export function matches(company: Company, text: string): boolean {
  return hasPart(company.name, text) || company.id.startsWith(text.trim().toLowerCase())
}

/** Empty for no limit. */
export function isCreditLimit(text: string): boolean {
  const limit = text.trim()
  return limit === '' || (/^\d+(\.\d{1,6})?$/.test(limit) && Number(limit) > 0)
}

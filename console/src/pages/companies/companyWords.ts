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

export function matches(company: Company, text: string): boolean {
  return hasPart(company.name, text) || company.id.startsWith(text.trim().toLowerCase())
}

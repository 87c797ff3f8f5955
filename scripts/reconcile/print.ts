import type { ShownFinding } from '../../capabilities/reconciliation/explainedFindings.ts'
import type { ReconciledMonth } from '../../capabilities/reconciliation/reconcileMonth.ts'
import type { Credits, Money } from '../../capabilities/reconciliation/tally.ts'
import { formatCredits } from '../../domain/credits.ts'
import { majorUnits } from '../../domain/price.ts'
import type { CostTotals } from '../../projections/dailyMargins/queries.ts'

/** Amounts are exact: strings of integers. */
export function jsonOf({ month, hasEnded, totals, costs, ...found }: ReconciledMonth): string {
  const document = {
    ...{ month, hasEnded, matches: found.differenceCount === 0 },
    ...found,
    ...totals,
    costs: costs.map(({ alias, provider, costCurrency: currency, ...cost }) => ({
      ...{ alias, provider: provider || null, currency: currency || null },
      ...{ calls: Number(cost.calls), failures: Number(cost.failures), chargedMicros: cost.chargedMicros },
      costMicros: currency === '' ? null : cost.costMicros,
    })),
  }
  return `${JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)}\n`
}

export function textOf(reconciled: ReconciledMonth): string {
  const { month, hasEnded, totals, costs, differences, differenceCount, explained, explainedCount } = reconciled
  const lines = [
    `${month}${hasEnded ? '' : ', which has not ended: payments may be on their way to the ledger'}`,
    `Payments        ${moneyOf(totals.payments)}`,
    `Refunds         ${moneyOf(totals.refunds)}`,
    `Other payments  ${moneyOf(totals.otherPayments)}`,
    `Granted         ${creditsOf(totals.granted)}`,
    `Settled         ${creditsOf(totals.settled)}`,
    `Taken back      ${creditsOf(totals.takenBack)}`,
    `By hand         ${creditsOf(totals.grantedByHand)}`,
    ...costs.map(costLine),
    ...explained.map((finding) => `Explained: ${lineOf(finding)}`),
    ...moreOf(explainedCount - explained.length, 'explanations'),
    ...differences.map((finding) => `DIFFERS: ${lineOf(finding)} [${finding.id}]`),
    ...moreOf(differenceCount - differences.length, 'differences'),
    differenceCount === 0 ? 'Payments and ledgers agree.' : `${differenceCount} differences.`,
  ]
  return `${lines.join('\n')}\n`
}

function lineOf({ kind, text, companyId, explanation }: ShownFinding): string {
  const said = `${kind} ${text}${companyId === null ? '' : ` (company ${companyId})`}`
  return explanation === null ? said : `${said}: ${explanation.reason}`
}

function moreOf(count: number, what: string): string[] {
  return count > 0 ? [`… and ${count} more ${what}`] : []
}

function moneyOf(sums: readonly Money[]): string {
  if (sums.length === 0) return 'none'
  return sums
    .map(
      ({ count, amountMinor, currency }) =>
        `${count}, together ${majorUnits(String(amountMinor), currency)} ${currency}`,
    )
    .join('; ')
}

function creditsOf({ count, amountMicros }: Credits): string {
  return count === 0 ? 'none' : `${count}, together ${formatCredits(amountMicros)} credits`
}

/** The cost has six decimals, like credits. */
function costLine({ alias, provider, costCurrency, calls, chargedMicros, costMicros }: CostTotals): string {
  const charged = `${calls} calls charged ${formatCredits(BigInt(chargedMicros))} credits`
  const cost = costCurrency === '' ? 'cost NOT RECORDED' : `cost ${formatCredits(BigInt(costMicros))} ${costCurrency}`
  return `${alias} at ${provider || 'an unknown provider'}: ${charged}, ${cost}`
}

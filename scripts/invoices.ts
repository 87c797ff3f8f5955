import { parseArgs } from 'node:util'
import { openPaymentProvider } from '../capabilities/payments/paymentProvider.ts'
import { lineText, openUsageInvoices } from '../capabilities/payments/usageInvoices.ts'
import { endMonth } from '../capabilities/postpaid/endMonths.ts'
import { MONTH } from '../contracts/events/postpaid.ts'
import { formatCredits } from '../domain/credits.ts'
import { monthOf } from '../domain/postpaid/month.ts'
import { majorUnits } from '../domain/price.ts'
import { isoTime, systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { openLog } from '../platform/logger/logger.ts'
import { companies as companyModel } from '../projections/companies/projection.ts'
import { monthCloses } from '../projections/monthCloses/projection.ts'
import { companiesBilledIn } from '../projections/monthCloses/queries.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { withInstallation } from './cli/withInstallation.ts'
import { type CompanyMonth, companyMonth } from './invoices/companyMonth.ts'

const HELP = `npm run invoices -- --month YYYY-MM [--dry-run] [--json]

Issues the invoices for the usage of postpaid companies in a month that has ended, and prints them as their ledger ranges
determine them. The reactor does the same by itself; what is done already is not done again. Exits with 1 if an invoice could
not be issued, or if one that the payment provider reported differs from its ledger range.

  --month YYYY-MM   the month, in UTC
  --dry-run         writes nothing: prints what is there, and for a month that is not closed what it would cost now
  --json            prints one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const options = { month: { type: 'string' }, 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } } as const
    const { values } = parseArgs({ args, options })
    const { month, 'dry-run': dryRun = false, json = false } = values
    if (month === undefined || !MONTH.test(month)) throw new WrongUsage('--month takes a month as YYYY-MM')
    if (!dryRun && month >= monthOf(isoTime(systemClock.now()))) {
      throw new WrongUsage(`${month} has not ended; --dry-run prints what it would cost now`)
    }
    const config = readConfig(process.env)
    const { log } = openLog({ level: 'silent', file: null })
    const companies: CompanyMonth[] = []
    const failures: { readonly companyId: string; readonly error: string }[] = []
    await withInstallation(
      async (engines) => {
        const provider = openPaymentProvider(config)
        const parts = { engines, clock: systemClock, log, provider, usageInvoices: openUsageInvoices(config) }
        for (const { companyId } of await companiesBilledIn(engines.database, month)) {
          try {
            if (!dryRun) await endMonth(parts, companyId, month)
          } catch (error) {
            failures.push({ companyId, error: (error as Error).message })
          }
          const shown = await companyMonth(parts, companyId, month)
          if (shown) companies.push(shown)
        }
      },
      { reads: [companyModel, monthCloses] },
    )
    const text = json
      ? `${JSON.stringify({ month, dryRun, invoices: companies, failures }, null, 2)}\n`
      : textOf(month, companies, failures)
    process.stdout.write(text)
    return failures.length === 0 && companies.every(({ difference }) => difference === null) ? 0 : 1
  },
})

function textOf(
  month: string,
  companies: readonly CompanyMonth[],
  failures: readonly { readonly companyId: string; readonly error: string }[],
): string {
  const lines = companies.flatMap((company) => [
    headOf(company),
    ...company.lines.map(
      (line) => `    ${moneyOf(line.amountMinor, company.currency).padStart(14)}  ${lineText(line)}`,
    ),
    ...(company.difference === null ? [] : [`  DIFFERS: ${company.difference}`]),
  ])
  const failed = failures.map(
    ({ companyId, error }) => `Company ${companyId}: the invoice could not be issued: ${error}`,
  )
  if (lines.length === 0) lines.push(`No postpaid company has an invoice for ${month}.`)
  return `${[...lines, ...failed].join('\n')}\n`
}

function headOf(company: CompanyMonth): string {
  const { companyId, name, month, creditsMicros, amountMinor, currency, afterRevision, closeRevision } = company
  const amount = `${moneyOf(amountMinor, currency)} for ${formatCredits(BigInt(creditsMicros))} credits`
  const range = `ledger revisions ${afterRevision + 1} to ${closeRevision}`
  return `${name} (${companyId}), ${month}: ${amount}, ${range}, ${stateOf(company)}`
}

function stateOf({ closedAt, invoiceId, status, isSettled }: CompanyMonth): string {
  if (closedAt === null) return 'not closed'
  if (invoiceId === null) return isSettled ? 'settled without an invoice' : 'no invoice'
  return `invoice ${invoiceId} ${status ?? 'not reported yet'}${isSettled ? ', settled' : ''}`
}

function moneyOf(minor: string, currency: string): string {
  const isNegative = minor.startsWith('-')
  return `${isNegative ? '-' : ''}${majorUnits(isNegative ? minor.slice(1) : minor, currency)} ${currency}`
}

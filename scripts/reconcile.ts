import { parseArgs } from 'node:util'
import { openPaymentLists } from '../capabilities/payments/paymentLists.ts'
import { reconcileMonth } from '../capabilities/reconciliation/reconcileMonth.ts'
import { MONTH } from '../contracts/events/postpaid.ts'
import { monthOf } from '../domain/postpaid/month.ts'
import { isoTime, systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { dailyMargins } from '../projections/dailyMargins/projection.ts'
import { trail } from '../projections/trail/projection.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { withInstallation } from './cli/withInstallation.ts'
import { jsonOf, textOf } from './reconcile/print.ts'

const HELP = `npm run reconcile -- --month YYYY-MM [--json]

Compares the payments and refunds of a month at the payment provider with what the ledgers of all companies granted, settled
and took back for them, and names each difference: a payment without a grant, a grant without a payment, other amounts, a
refund that one side lacks. A payment whose grant is in another month is explained, and is no difference. It also prints what
the calls of the month were charged, and what their providers cost, as far as that is recorded. Exits with 1 if there is a
difference.

  --month YYYY-MM   the month, in UTC
  --json            prints one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const options = { month: { type: 'string' }, json: { type: 'boolean' } } as const
    const { month, json = false } = parseArgs({ args, options }).values
    if (month === undefined || !MONTH.test(month)) throw new WrongUsage('--month takes a month as YYYY-MM')
    if (month > monthOf(isoTime(systemClock.now()))) throw new WrongUsage(`${month} has not begun`)
    const lists = openPaymentLists(readConfig(process.env))
    const onPart = (day: string) => {
      if (process.stderr.isTTY) process.stderr.write(`\rreading payments from ${day} on`)
    }
    const reconciled = await withInstallation(
      (engines) => reconcileMonth({ database: engines.database, lists, clock: systemClock }, month, { onPart }),
      { reads: [trail, dailyMargins] },
    )
    if (process.stderr.isTTY) process.stderr.write('\n')
    process.stdout.write(json ? jsonOf(reconciled) : textOf(reconciled))
    return reconciled.differenceCount === 0 ? 0 : 1
  },
})

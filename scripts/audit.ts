import { parseArgs } from 'node:util'
import { isUuid } from '../contracts/uuid.ts'
import { isoTime, parseTime } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import type { EventStore } from '../platform/eventStore/port.ts'
import { creditBalances } from '../projections/creditBalances/projection.ts'
import { creditTransactions } from '../projections/creditTransactions/projection.ts'
import { auditCall } from './audit/call.ts'
import { auditCompany } from './audit/compare.ts'
import { auditJson, auditText, callText, stoppedText } from './audit/print.ts'
import type { Until } from './audit/replay.ts'
import { runTransparencyAudit } from './audit/transparency/command.ts'
import { unsettledOf } from './audit/unsettled.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { readStopped } from './cli/requireBuilt.ts'
import { withInstallation } from './cli/withInstallation.ts'

const HELP = `npm run audit -- <companyId> [--at <time|position>] [--call <request id>] [--json], or npm run audit -- --log

Replays a company's credit ledger from the event store, never from a read model, and compares the result with the read
models at the same position. If they differ, prints the first event where they do and exits with 1. It also names the
calls recorded under DATA_DIR that were answered 503 and are not settled yet: a charge of theirs will be reversed.
The invoices of a postpaid company are computed again from their ledger ranges and compared with what was recorded and with
what the payment provider reported; it exits with 1 if one differs.
Events that another application wrote to the ledger never count; if there are any, it names them and exits with 1. It also
exits with 1 while the transparency log has a fault or a receipt did not verify, and while a read model has stopped or has
to be rebuilt.

  --at <time|position>   audits the past: an ISO 8601 time with a zone, or a position
  --call <request id>    prints the events of one call (its id is the x-request-id of the response)
  --json                 prints one JSON document

npm run audit -- --log [--full] [--since <checkpoint file>] [--vkey <key>] [--state <file>] [--json]

Audits the transparency log and with it all companies: computes every entry again from the event store, compares entries,
tiles and balances with it, and verifies every checkpoint that was signed. Names each event or row that differs, and exits
with 1 if there is one, or while a read model has stopped or has to be rebuilt. It continues where the last audit without a
difference ended.

  --full                 verifies everything again
  --since <file>         also verifies that the log contains all that this checkpoint covers; can be repeated
  --vkey <key>           the log's verifier key; can be repeated. Without it, the keys of this installation count
  --state <file>         where it keeps what was verified; by default audit-log.json in DATA_DIR
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: {
        at: { type: 'string' },
        call: { type: 'string' },
        json: { type: 'boolean' },
        log: { type: 'boolean' },
        full: { type: 'boolean' },
        since: { type: 'string', multiple: true },
        vkey: { type: 'string', multiple: true },
        state: { type: 'string' },
      },
      allowPositionals: true,
    })
    const { full: isFull = false, since = [], vkey: vkeys = [], state: stateFile, json = false } = values
    if (values.log) {
      const ofCompany = positionals.length > 0 || values.at !== undefined || values.call !== undefined
      if (ofCompany) throw new WrongUsage('--log audits all companies: it takes no company, --at or --call')
      return runTransparencyAudit({ since, vkeys, stateFile, isFull, json })
    }
    if (isFull || since.length > 0 || vkeys.length > 0 || stateFile !== undefined) {
      throw new WrongUsage('--full, --since, --vkey and --state belong to --log')
    }
    const [companyId] = positionals
    if (companyId === undefined || positionals.length > 1) throw new WrongUsage('the id of one company is required')
    if (!isUuid(companyId)) throw new WrongUsage(`${JSON.stringify(companyId)} is not the id of a company`)
    if (values.call !== undefined && values.at !== undefined) throw new WrongUsage('--at and --call exclude each other')
    if (values.call !== undefined) return printCall(companyId, values.call, values.json ?? false)

    const { result, stopped } = await withInstallation(
      async (engines) => ({
        result: await auditCompany(engines, companyId, readUntil(engines.store, values.at)),
        stopped: (await readStopped(engines, readConfig(process.env).KAFKA_BROKERS !== undefined)).stopped,
      }),
      { reads: [creditBalances, creditTransactions], requiresBuilt: true },
    )
    if (result.replay.events === 0 && values.at === undefined) {
      throw new Error(`the ledger of company ${companyId} has no events: check the company id and the installation`)
    }
    const unsettled = await unsettledOf(companyId)
    const text = values.json
      ? `${JSON.stringify({ ...auditJson(companyId, result, unsettled), stoppedReadModels: stopped }, null, 2)}\n`
      : auditText(companyId, result, unsettled) + stoppedText(stopped)
    process.stdout.write(text)
    const isSame = result.firstDifference === null && result.months.every(({ difference }) => difference === null)
    const isWhole = result.foreignEvents.length === 0 && result.logFault === null && stopped.length === 0
    return isSame && isWhole ? 0 : 1
  },
})

async function printCall(companyId: string, callId: string, json: boolean): Promise<number> {
  if (!isUuid(callId)) throw new WrongUsage(`${JSON.stringify(callId)} is not the id of a request`)
  const call = await withInstallation(({ store }) => auditCall(store, companyId, callId))
  if (call.events.length === 0) {
    const { calls } = await unsettledOf(companyId)
    const isUnsettled = calls.some((unsettled) => unsettled.callId === callId)
    throw new Error(
      isUnsettled
        ? `call ${callId} was answered 503 and is not settled yet: the next gateway on this DATA_DIR ends it on the ledger`
        : `call ${callId} is not on the ledger of company ${companyId}`,
    )
  }
  process.stdout.write(json ? `${JSON.stringify(call, null, 2)}\n` : callText(call))
  return call.matches ? 0 : 1
}

function readUntil(store: EventStore, at: string | undefined): Until {
  if (at === undefined) return null
  const position = store.parsePosition(at)
  if (position !== null) return { position }
  const time = parseTime(at)
  if (time === null) throw new WrongUsage('--at takes an ISO 8601 time with a zone, or a position')
  return { time: isoTime(time) }
}

import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import type { Statement } from '../capabilities/statements/statement.ts'
import { openStatementFile } from '../capabilities/statements/statementFile.ts'
import { STATEMENT_FORMATS } from '../capabilities/statements/statementFormat.ts'
import { Statements } from '../capabilities/statements/statements.ts'
import { isUuid } from '../contracts/uuid.ts'
import { isoTime, parseTime, systemClock } from '../platform/clock/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { openLog } from '../platform/logger/logger.ts'
import { companies } from '../projections/companies/projection.ts'
import { companyById } from '../projections/companies/queries.ts'
import { ledgerBlocks } from '../projections/ledgerBlocks/projection.ts'
import { ledgerParts } from '../projections/ledgerParts/projection.ts'
import { ledgerTotals } from '../projections/ledgerTotals/projection.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { progressBar } from './cli/progressBar.ts'
import { withInstallation } from './cli/withInstallation.ts'

const FORMATS = ['text', ...STATEMENT_FORMATS] as const
type Format = (typeof FORMATS)[number]

const HELP = `npm run statement -- <companyId> --from <time> --to <time> [--format text|json|csv|pdf] [--out <file>] [--since <size>]

Prints a statement of a company's ledger: the opening balance, every entry with the balance after it, totals by type, model,
key and label, and the closing balance. json, csv and pdf are signed by the keys of the log, and "npm run check" verifies them.

  --from, --to     ISO 8601 with a zone, or a date (UTC). Entries count by when they were stored; --to is exclusive
  --format         text (default), json, csv, or pdf, which has at most 20,000 entries
  --out <file>     writes a file, whole or not at all; default: standard output
  --since <size>   the size of an older checkpoint: the proof shows that the log still contains its entries
  --wait <seconds> how long to wait for a checkpoint that covers the last entry; default: 15, and 0 for text
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const option = { type: 'string' } as const
    const options = { from: option, to: option, format: option, out: option, since: option, wait: option }
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [id] = positionals
    if (id === undefined || positionals.length > 1) throw new WrongUsage('the id of one company is required')
    if (!isUuid(id)) throw new WrongUsage(`${JSON.stringify(id)} is not the id of a company`)
    const companyId = id.toLowerCase()
    const format = formatOf(values.format ?? 'text')
    const period = { companyId, from: timeOf(values.from, '--from'), to: timeOf(values.to, '--to') }
    if (period.from >= period.to) throw new WrongUsage('--from must be before --to')
    const since = countOf(values.since, '--since')
    const waitS = countOf(values.wait, '--wait')
    await withInstallation(
      async (engines) => {
        const company = await companyById(engines.database, companyId)
        if (!company) throw new Error(`there is no company ${companyId} in this installation`)
        const { log } = openLog({ level: 'silent', file: null })
        const statements = new Statements({ config: readConfig(process.env), engines, clock: systemClock, log })
        const waitMs = waitMsOf(format, waitS)
        const statement = await statements.open(period, { since, ...(waitMs !== undefined && { waitMs }) })
        await write(statement, format, company.name, values.out)
      },
      { reads: [companies, ledgerBlocks, ledgerParts, ledgerTotals] },
    )
    return 0
  },
})

async function write(made: Statement, format: Format, companyName: string, out: string | undefined): Promise<void> {
  const bar = progressBar('statement', out === undefined ? 0 : made.range.count)
  const statement = { ...made, onEntries: bar.update }
  const pieces = await openStatementFile(statement, format, companyName)
  if (out === undefined) return pipeline(Readable.from(pieces), process.stdout, { end: false })
  const part = `${out}.part`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(part))
    await rename(part, out)
  } finally {
    bar.end()
    await rm(part, { force: true })
  }
}

/** A text is not signed, so waiting would gain nothing. */
function waitMsOf(format: Format, waitS: number | undefined): number | undefined {
  if (waitS !== undefined) return waitS * 1_000
  return format === 'text' ? 0 : undefined
}

function formatOf(text: string): Format {
  const format = FORMATS.find((known) => known === text)
  if (format === undefined) throw new WrongUsage(`--format is one of ${FORMATS.join(', ')}`)
  return format
}

function timeOf(text: string | undefined, option: string): string {
  const ms = text === undefined ? null : parseTime(text)
  if (ms === null) throw new WrongUsage(`${option} takes an ISO 8601 time with a zone, or a date`)
  return isoTime(ms)
}

function countOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new WrongUsage(`${option} takes a whole number`)
  return Number(text)
}

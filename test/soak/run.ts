import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, WrongUsage } from '../../scripts/cli/command.ts'
import { SHORT_FORM, soakEngines, WHOLE_FORM } from './engines/soak.ts'

const HELP = `npm run soak -- engines [--short] [--rate <calls a second>] [--only <victim>] [--json]

Three gateways, two relays, two projectors and a reactor on three Kafka brokers, Redis, Postgres and an event store node,
each a process of its own, under a steady load. Kills one of each kind in turn, revokes a key during each, and holds what
callers saw against the ledgers, the read models against a rebuild, and the limits of keys against their minutes.

  --short   every kill with less time in between, at a low rate; ends within four minutes
  --rate    instead of the highest that the stack holds on this machine, 300 at most
  --only    kills this one alone, by its name in the report, as often as it is named; leaves no report behind
  --json    the report as one document

Needs Java, Maven and redis-server. The last line is "N passed, N failed". Exits 1 when a rule was missed. A whole run
leaves its report in docs/results/soak-engines.json.
`

const RESULTS = join(import.meta.dirname, '..', '..', 'docs', 'results')
/** Every wait has its limit; this is for their sum. */
const MINUTES_MAX = { short: 8, whole: 40 }

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: {
        short: { type: 'boolean' },
        rate: { type: 'string' },
        only: { type: 'string', multiple: true },
        json: { type: 'boolean' },
      },
      allowPositionals: true,
    })
    if (positionals.length !== 1 || positionals[0] !== 'engines')
      throw new WrongUsage('name one soak; there is: engines')
    const form = values.short ? SHORT_FORM : WHOLE_FORM
    const rate = values.rate === undefined ? form.rate : rateOf(values.rate)
    const tell = teller()
    giveUpAfter(values.short ? MINUTES_MAX.short : MINUTES_MAX.whole)
    const report = await soakEngines({ ...form, rate, only: values.only ?? null }, tell)
    const document = `${JSON.stringify(report, null, 2)}\n`
    const { checks } = report
    const failed = checks.filter(({ passed }) => !passed).length
    if (values.json) process.stdout.write(document)
    else {
      for (const { name, passed, detail } of checks)
        process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name}: ${detail}\n`)
      process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`)
    }
    if (!values.short && !values.only) {
      await mkdir(RESULTS, { recursive: true })
      await writeFile(join(RESULTS, 'soak-engines.json'), document)
    }
    return failed === 0 ? 0 : 1
  },
})

function rateOf(text: string): number {
  const rate = Number(text)
  if (!/^\d{1,4}$/.test(text) || rate < 1) throw new WrongUsage(`--rate takes a number from 1 to 9999, not ${text}`)
  return rate
}

/** Progress goes to standard error, with the seconds since the start. */
function teller(): (line: string) => void {
  const beganAt = performance.now()
  return (line) => {
    process.stderr.write(`${((performance.now() - beganAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`)
  }
}

function giveUpAfter(minutes: number): void {
  const timer = setTimeout(() => {
    process.stderr.write(`the soak has not ended within ${minutes} minutes and is given up\n`)
    process.exit(1)
  }, minutes * 60_000)
  timer.unref()
}

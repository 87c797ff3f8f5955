import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { warnOfStolen } from '../../bench/stolenTime.ts'
import { runCommand, WrongUsage } from '../../scripts/cli/command.ts'
import { SHORT_FORM, type SoakReport, soakEngines, WHOLE_FORM } from './engines/enginesSoak.ts'
import { SHORT_GENERATOR, soakGenerator, WHOLE_GENERATOR } from './generator/generatorSoak.ts'
import { MINTED_PAIRS, SHORT_MINTED_PAIRS, soakMintedKeys } from './mintedKeys/mintedKeysSoak.ts'
import { SHORT_SCRUBS, soakScrubs, WHOLE_SCRUBS } from './scrubs/scrubsSoak.ts'

const HELP = `npm run soak -- engines [--short] [--rate <calls a second>] [--only <victim>] [--json]
npm run soak -- generator [--short] [--json]
npm run soak -- minted-keys [--short | --pairs <number>] [--json]
npm run soak -- scrubs [--short | --minutes <n>] [--json]

engines: three gateways, two relays, two projectors and a reactor on three Kafka brokers, Redis, Postgres and
EventStoreDB, each in its own process, under a steady load. Kills one of each kind in turn and revokes a key during each
kill. Then compares what callers received with the ledgers, the read models with a rebuild, and the calls of limited
keys with their limits. Needs Java, Maven and redis-server, and the binary of EventStoreDB in ESDB_SERVER; without that
a stand-in of the tests takes its place.

generator: scores the pairs of 200 jobs and 500 talents through a model provider that fails a tenth of the calls and is
down for a while. In between, the generator is stopped and started, and the AI service is killed.

minted-keys: mints a key by GraphQL and calls one of two gateways with it at once, 10,000 times on each of three sets of
engines: the embedded event store, the same with Kafka, and EventStoreDB. No call may be refused.

scrubs: "npm start" with a new company every second for an hour, while scrubs and audits of the transparency log run all
the time, and a kill in the middle. No health check may report a fault.

  --short   the same kills with shorter pauses at a low rate; 40 jobs and 100 talents; 300 keys; two minutes of scrubs;
            ends within four minutes
  --rate    calls a second, instead of the highest rate that the stack holds on this machine (at most 300)
  --only    kills only this one, by its name in the report; can be repeated; writes no report
  --pairs   keys to mint on each set of engines; writes no report
  --minutes how long the scrubs run, instead of 60; writes no report
  --json    prints the report as one JSON document

The last line is "N passed, N failed". Exits with 1 if a check failed. A full run writes its report to
docs/results/soak-<name>.json.
`

const RESULTS = join(import.meta.dirname, '..', '..', 'docs', 'results')
/** Each wait has its own limit; this one bounds their sum. */
const MINUTES_MAX = { short: 12, whole: 40 }

type Wanted = {
  readonly short?: boolean
  readonly rate?: string
  readonly only?: string[]
  readonly pairs?: string
  readonly minutes?: string
}

const SOAKS: Readonly<Record<string, (wanted: Wanted, tell: (line: string) => void) => Promise<SoakReport>>> = {
  engines: ({ short, rate, only }, tell) => {
    const form = short ? SHORT_FORM : WHOLE_FORM
    return soakEngines({ ...form, rate: numberOf('rate', rate) ?? form.rate, only: only ?? null }, tell)
  },
  generator: ({ short }, tell) => soakGenerator(short ? SHORT_GENERATOR : WHOLE_GENERATOR, tell),
  'minted-keys': ({ short, pairs }, tell) =>
    soakMintedKeys(numberOf('pairs', pairs) ?? (short ? SHORT_MINTED_PAIRS : MINTED_PAIRS), tell),
  scrubs: ({ short, minutes }, tell) => {
    const form = short ? SHORT_SCRUBS : WHOLE_SCRUBS
    return soakScrubs({ ...form, minutes: numberOf('minutes', minutes) ?? form.minutes }, tell)
  },
}

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: {
        short: { type: 'boolean' },
        rate: { type: 'string' },
        only: { type: 'string', multiple: true },
        pairs: { type: 'string' },
        minutes: { type: 'string' },
        json: { type: 'boolean' },
      },
      allowPositionals: true,
    })
    const [name = ''] = positionals
    const soak = SOAKS[name]
    if (positionals.length !== 1 || !soak) {
      throw new WrongUsage(`name one soak of: ${Object.keys(SOAKS).join(', ')}`)
    }
    const scrubMinutes = name === 'scrubs' ? (numberOf('minutes', values.minutes) ?? WHOLE_SCRUBS.minutes) : 0
    giveUpAfter(values.short ? MINUTES_MAX.short : MINUTES_MAX.whole + scrubMinutes)
    const report = await soak(values, teller())
    warnOfStolen(`soak ${name}`, report.machine.stolen)
    const document = `${JSON.stringify(report, null, 2)}\n`
    const { checks } = report
    const failed = checks.filter(({ passed }) => !passed).length
    if (values.json) process.stdout.write(document)
    else {
      for (const { name, passed, detail } of checks)
        process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name}: ${detail}\n`)
      process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`)
    }
    if (!values.short && !values.only && !values.pairs && !values.minutes) {
      await mkdir(RESULTS, { recursive: true })
      await writeFile(join(RESULTS, `soak-${name}.json`), document)
    }
    return failed === 0 ? 0 : 1
  },
})

/** The number given for an option; undefined if missing. */
function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new WrongUsage(`--${option} takes a number from 1 to 999999, not ${text}`)
  return Number(text)
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
    process.stderr.write(`the soak was stopped because it did not end within ${minutes} minutes\n`)
    process.exit(1)
  }, minutes * 60_000)
  timer.unref()
}

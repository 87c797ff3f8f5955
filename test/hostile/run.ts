import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { keepResults } from '../../bench/benchCommand.ts'
import { machine } from '../../bench/figure.ts'
import { type CpuTicks, readCpuTicks, warnOfStolen } from '../../bench/stolenTime.ts'
import { runCommand, WrongUsage } from '../../scripts/cli/command.ts'
import { keepFixture } from './fixtures.ts'
import { type FuzzReport, fuzz } from './fuzz/fuzz.ts'
import { FUZZ_TARGETS } from './fuzz/fuzzTargets.ts'
import { FLOODS } from './underLoad/floods.ts'
import { attackUnderLoad } from './underLoad/underLoad.ts'

const HELP = `npm run attack -- [--minutes <n>] [--seed <n>] [--only <target>] [--json]
npm run attack -- --under-load [--seconds <n>] [--only <part of a name>] [--json]

Starts an installation with a data folder and ports of its own and sends it generated requests: bodies made from the
schemas of its routes, URLs, headers, raw HTTP, GraphQL operations, WebSocket messages, multipart bodies, DOCX, PDF, mails,
and answers of a hostile model provider.

  --minutes  how long, 10 by default; a fraction is allowed
  --seed     repeats the cases of another run; printed by every run
  --only     one of ${Object.keys(FUZZ_TARGETS).join(', ')}; can be repeated
  --json     prints the report as one JSON document

Exits with 1 if the main thread spent more than 50 ms of CPU time in one turn of its event loop and does so again in one of
three repetitions of the same cases, if an answer was wrong, if the process or a part of it ended, or if it held more memory,
descriptors or slots at the end than after the warm-up. Each finding is kept in test/hostile/fixtures, which npm test
replays. The last line is "N passed, N failed". A run of ten minutes or more over all targets writes its report to
docs/results/attack.json.

With --under-load, one attack after the other runs from 127.0.0.2 while a paying key and its admin call from 127.0.0.1:
connections that never finish what they began, and requests that are expensive to answer. Exits with 1 if one of those calls
is not answered, if their 99th percentile is more than 50 ms above that of the calls right before and after the attack, or
if an attack that has to be charged or refused was not. Needs a machine that does nothing else. Calls during which the host
gave the processor to others are not judged; an attack with more of these than of others is repeated after the other
attacks, up to five times. One that failed is repeated once, and has failed if it fails again.

  --seconds  how long each attack runs, 30 by default
  --only     runs only attacks whose name contains this; can be repeated

A run of all attacks for 30 seconds each or longer writes its report to docs/results/attack-under-load.json.
`

const ROOT = join(import.meta.dirname, '..', '..')
const MINUTES = 10
const SECONDS = 30
const SEED_MAX = 2 ** 31

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values } = parseArgs({
      args,
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        only: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        'under-load': { type: 'boolean' },
        seconds: { type: 'string' },
      },
    })
    if (values['under-load']) return underLoad(values)
    if (values.seconds !== undefined) throw new WrongUsage('--seconds is for --under-load; the fuzzer takes --minutes')
    return fuzzed(values)
  },
})

type Values = {
  readonly minutes?: string
  readonly seed?: string
  readonly only?: string[]
  readonly json?: boolean
  readonly seconds?: string
}

async function fuzzed(values: Values): Promise<number> {
  const minutes = numberOf('--minutes', values.minutes, MINUTES)
  const seed = numberOf('--seed', values.seed, Math.floor(Math.random() * SEED_MAX))
  const targets = values.only ?? Object.keys(FUZZ_TARGETS)
  const unknown = targets.find((name) => !(name in FUZZ_TARGETS))
  if (unknown !== undefined)
    throw new WrongUsage(`--only takes ${Object.keys(FUZZ_TARGETS).join(', ')}, not ${unknown}`)
  process.stderr.write(`attacking for ${minutes} minutes, --seed ${seed}\n`)
  const begin = readCpuTicks()
  const report = await fuzz({ minutes, seed, targets, onProgress: showProgress() })
  for (const { target, fault, cases } of report.findings) {
    const path = await keepFixture(target, { fault, cases })
    process.stderr.write(`kept in ${relative(ROOT, path)}\n`)
  }
  const { findings: _, ...figures } = report
  const document = documentOf(begin, figures)
  process.stdout.write(values.json ? document : linesOf(report))
  if (!values.only && minutes >= MINUTES) await keepResults('attack.json', document)
  return report.faults.length === 0 ? 0 : 1
}

async function underLoad({ seconds: given, only = [], json }: Values): Promise<number> {
  const seconds = numberOf('--seconds', given, SECONDS)
  const tell = (line: string) => void process.stderr.write(`${line}\n`)
  const unknown = only.find((part) => !FLOODS.some(({ name }) => name.includes(part)))
  if (unknown !== undefined) {
    throw new WrongUsage(
      `no attack has ${JSON.stringify(unknown)} in its name: ${FLOODS.map(({ name }) => name).join('; ')}`,
    )
  }
  const begin = readCpuTicks()
  const report = await attackUnderLoad({ seconds, only, onProgress: tell })
  const failed = report.verdicts.filter(({ passed }) => !passed).length
  const document = documentOf(begin, report)
  process.stdout.write(json ? document : `${report.verdicts.length - failed} passed, ${failed} failed\n`)
  if (only.length === 0 && seconds >= SECONDS) await keepResults('attack-under-load.json', document)
  return failed === 0 ? 0 : 1
}

function documentOf(begin: CpuTicks | null, report: object): string {
  const about = { measuredAt: new Date().toISOString(), machine: machine(begin) }
  warnOfStolen('attack', about.machine.stolen)
  return `${JSON.stringify({ ...about, ...report }, null, 2)}\n`
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!/^\d{1,10}(\.\d+)?$/.test(text) || value === 0)
    throw new WrongUsage(`${name} takes a number above 0, not ${text}`)
  return value
}

/** One line, replaced in a terminal. */
function showProgress(): (line: string) => void {
  const { isTTY } = process.stderr
  return (line) => void process.stderr.write(isTTY ? `\r\u001b[K${line}` : `${line}\n`)
}

function linesOf(report: FuzzReport): string {
  const cases = Object.values(report.casesByTarget).reduce((sum, count) => sum + count, 0)
  const stall = `longest stall ${report.longestStallMs.toFixed()} ms (${report.stallsNotRepeated.length} over the limit did not repeat)`
  const checks = checksOf(report)
  const failed = checks.filter((passed) => !passed).length
  const lines = [
    `${cases} cases; ${stall}; peak memory ${report.rssPeakMb.toFixed()} MB`,
    `held after the warm-up: ${shown(report.afterWarmUp)}; at the end: ${shown(report.atTheEnd)}`,
    ...report.faults.map((fault) => `FAIL ${fault}`),
    `${checks.length - failed} passed, ${failed} failed`,
  ]
  return `${lines.join('\n')}\n`
}

/** One check for each target, and one for crashes and growth. */
function checksOf({ casesByTarget, findings, faults }: FuzzReport): boolean[] {
  const withFindings = new Set(findings.map(({ target }) => target))
  const holdsOut = faults.length === findings.length
  return [...Object.keys(casesByTarget).map((target) => !withFindings.has(target)), holdsOut]
}

function shown(resources: FuzzReport['atTheEnd']): string {
  if (!resources) return 'unknown'
  return `${resources.heldMb.toFixed()} MB, ${resources.descriptors} descriptors, ${resources.inFlight} in flight`
}

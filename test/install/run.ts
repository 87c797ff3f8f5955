import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { closingLine, formatTable } from '../../scripts/test/closing.ts'
import { isRoot, machineSize } from './machine.ts'
import { type InstallRow, installRows } from './rows.ts'
import { RowFault, type RowResult, tryRow } from './tryRow.ts'
import { repository, Workshop } from './workshop.ts'

const usage = `npm run test:install [-- --only <name>] [--json]

Clones the last commit into an empty folder, once for each row, and runs there what a newcomer runs:
npm ci, npm start, the printed curl line, Ctrl-C. As root it tries each npm as root and as an ordinary user.
  --only <name>  one row: ${installRows.map(({ name }) => name).join(', ')}
  --json         the results as JSON on stdout
A run of all rows writes docs/results/install.json. Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

type Outcome = 'passed' | 'failed' | 'not run'
type Report = Omit<InstallRow, 'folderMode' | 'node'> & { node: string; outcome: Outcome; why?: string } & RowResult

const say = (text: string) => process.stderr.write(`${text}\n`)

const readArgs = () => {
  try {
    const options = {
      only: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const
    return parseArgs({ options }).values
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(2)
  }
}

const args = readArgs()
if (args.help) {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
const rows = installRows.filter(({ name }) => args.only === undefined || name === args.only)
if (rows.length === 0) {
  say(`there is no row ${args.only}\n\n${usage}`)
  process.exit(2)
}

async function report(workshop: Workshop, row: InstallRow): Promise<Report> {
  const { folderMode: _, ...about } = { ...row, node: await workshop.nodeVersion(row.node) }
  if (row.as === 'root' && !isRoot) return { ...about, outcome: 'not run', why: 'needs root' }
  say(`${row.name}: npm ${row.npm} on Node ${about.node} as ${row.as}`)
  const result: RowResult = {}
  try {
    await tryRow(workshop, row, result)
    return { ...about, ...result, outcome: 'passed' }
  } catch (error) {
    const clean = (text: string) => text.replaceAll(workshop.folder, '…')
    const message = clean(error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
    const output = error instanceof RowFault ? error.output : error instanceof Error ? (error.stack ?? '') : ''
    say(`${row.name}: ${message}\n${clean(output).trimEnd().split('\n').slice(-30).join('\n')}`)
    return { ...about, ...result, outcome: 'failed', why: message }
  }
}

const workshop = new Workshop()
const reports: Report[] = []
const machineNode = await workshop.nodeVersion('machine')
try {
  if (!machineNode.startsWith('v20.'))
    say(`This machine has Node ${machineNode}, not 20: the rows for Node 20 run on it.`)
  for (const row of rows) reports.push(await report(workshop, row))
} finally {
  workshop.remove()
}

const git = (...gitArgs: string[]) => execFileSync('git', gitArgs, { cwd: repository, encoding: 'utf8' }).trim()
const results = {
  commit: git('rev-parse', '--short', 'HEAD'),
  at: new Date().toISOString(),
  machine: { ...machineSize(), node: machineNode },
  rows: reports,
}
const document = `${JSON.stringify(results, null, 2)}\n`
if (args.only === undefined) {
  mkdirSync(path.join(repository, 'docs/results'), { recursive: true })
  writeFileSync(path.join(repository, 'docs/results/install.json'), document)
}

const count = (outcome: Outcome) => reports.filter((row) => row.outcome === outcome).length
if (args.json) process.stdout.write(document)
else {
  const seconds = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(1))
  const table = formatTable([
    ['row', 'npm', 'node', 'as', 'npm ci s', 'ready s', 'stop s', 'result'],
    ...reports.map(({ installSeconds, readySeconds, stopSeconds, ...row }) => [
      ...[row.name, row.npm, row.node, row.as, seconds(installSeconds), seconds(readySeconds), seconds(stopSeconds)],
      row.why === undefined ? row.outcome : `${row.outcome}: ${row.why}`,
    ]),
  ])
  const totals = { passed: count('passed'), failed: count('failed'), skipped: count('not run') }
  process.stdout.write(`\n${table}\n\n${closingLine(totals)}\n`)
}
process.exitCode = count('failed') > 0 ? 1 : 0

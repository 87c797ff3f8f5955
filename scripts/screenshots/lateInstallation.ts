import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { freePorts } from '../../bench/freePorts.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { settlesWithin, within } from '../../platform/clock/within.ts'
import { openDatabase } from '../../platform/postgres/database.ts'
import { startEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import type { Database } from '../../projections/runner/ports.ts'
import { demoFilePath } from '../start/demoFile.ts'

/** Found before the clock of PostgreSQL, and late by what the table says. */
const LATE_CLOCK_SQL = `
  create schema late_clock;
  create table late_clock.late (late_ms bigint not null);
  insert into late_clock.late values (0);
  create function late_clock.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.clock_timestamp() - (select late_ms from late_clock.late) * interval ''1 millisecond''';
`
const APPENDS = `select oid::regprocedure::text as signature from pg_proc
  where pronamespace = 'event_store'::regnamespace and proname like 'append%'`

const START = join(import.meta.dirname, '..', 'start.ts')
const LATE_CLOCK = pathToFileURL(join(import.meta.dirname, 'lateClock.ts')).href
const PORTS = ['GATEWAY_PORT', 'BACKEND_PORT', 'AI_PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT'] as const
const SETTINGS = { HOST: '127.0.0.1', SANDBOX: '1', IP_RPM: '0', DEMO_CREDITS: '3000', LOG_LEVEL: 'info' }
const READY_MS_MAX = 120_000
const START_ATTEMPTS_MAX = 3
const STOP_MS_MAX = 60_000
/** Longer than the process takes to notice. */
const CLOCK_MOVES_MS = 40

/** The fields of demo.json that the pictures need. */
export type Demo = Readonly<
  Record<
    | 'gatewayUrl'
    | 'backendUrl'
    | 'sandboxUrl'
    | 'companyId'
    | 'apiKey'
    | 'adminEmail'
    | 'adminPassword'
    | 'superAdminEmail'
    | 'superAdminPassword',
    string
  >
>

export type LateInstallation = {
  readonly demo: Demo
  /** The time by the clock of the installation, which is never set back. */
  setTime(ms: number): Promise<void>
}

/** Runs `npm start` on its own folder and ports, with a clock that begins in the past, and removes everything afterwards. */
export async function withLateInstallation<Result>(
  beginsAtMs: number,
  work: (installation: LateInstallation) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-screenshots-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  const database = openDatabase({ url: postgres.url })
  const lateFile = join(folder, 'late-ms')
  const setTime = async (ms: number) => {
    const lateMs = Math.max(0, Math.round(systemClock.now() - ms))
    await setLateMs(database, lateMs)
    await writeFile(`${lateFile}.new`, String(lateMs))
    await rename(`${lateFile}.new`, lateFile)
    await systemClock.delay(CLOCK_MOVES_MS)
  }
  try {
    await migrate(database)
    await installLateClock(database)
    await setTime(beginsAtMs)
    const dataDir = join(folder, 'data')
    const child = await startReady({ DATA_DIR: dataDir, DATABASE_URL: postgres.url, CLOCK_LATE_FILE: lateFile })
    try {
      const demo = JSON.parse(await readFile(demoFilePath(dataDir), 'utf8')) as Demo
      return await work({ demo, setTime })
    } finally {
      await stop(child)
    }
  } finally {
    await database.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

type Started = ChildProcessByStdio<null, Readable, null>

/** Free ports may be taken before the services listen, which takes seconds on a busy machine. */
async function startReady(settings: Readonly<Record<string, string>>): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    const child = await start(settings)
    try {
      await within(ready(child), READY_MS_MAX, systemClock)
      return child
    } catch (error) {
      await stop(child)
      if (attempt === START_ATTEMPTS_MAX) throw error
    }
  }
}

/** Only these settings reach it, whatever the shell has set. */
async function start(settings: Readonly<Record<string, string>>): Promise<Started> {
  const ports = await freePorts(PORTS.length)
  const { PATH = '', HOME = '' } = process.env
  return spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', '--import', LATE_CLOCK, START], {
    env: {
      PATH,
      HOME,
      ...Object.fromEntries(PORTS.map((name, n) => [name, String(ports[n])])),
      ...SETTINGS,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function ready(child: Started): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes('See the charge:')) resolve()
  })
  child.once('error', reject)
  child.once('exit', (code) => reject(new Error(`the installation ended with exit code ${code}:\n${output}`)))
  await promise
}

/** Drains. Whatever does not end in time is killed. */
async function stop(child: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  if (!(await settlesWithin(exited, STOP_MS_MAX, systemClock))) child.kill('SIGKILL')
}

/** Lets the event store of a migrated, unused database record events with a clock that can be set back. */
async function installLateClock(database: Database): Promise<void> {
  await database.query(LATE_CLOCK_SQL)
  for (const { signature } of await database.query<{ signature: string }>(APPENDS)) {
    await database.query(`alter function ${signature} set search_path to late_clock, pg_catalog`)
  }
}

async function setLateMs(database: Database, lateMs: number): Promise<void> {
  await database.query('update late_clock.late set late_ms = $1', [lateMs])
}

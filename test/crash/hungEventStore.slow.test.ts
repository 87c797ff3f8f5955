import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { drainMsMax } from '../../platform/drainLimit.ts'
import { type MutingProxy, startMutingProxy } from '../support/callers/mutingProxy.ts'
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts'
import { type NpmProcess, startNpm } from '../support/processes/npmProcess.ts'
import { reusablePorts } from '../support/processes/reusablePorts.ts'
import { until } from '../support/time/until.ts'

const DRAIN = { DRAIN_DELAY_MS: 0, DRAIN_TIMEOUT_MS: 500 }
/** A process whose drain has no limit never ends, so this only has to be enough for a busy machine. */
const ENDED_MS_MAX = 6 * drainMsMax(DRAIN)
const PORTS = ['GATEWAY', 'BACKEND', 'AI', 'SANDBOX', 'SANDBOX_SMTP', 'PROJECTOR', 'REACTOR'].map(
  (name) => `${name}_PORT`,
)

let folder: string
let database: TestDatabase
let proxy: MutingProxy
let settings: Record<string, string>
let running: NpmProcess | null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  database = await createTestDatabase('with read models')
  const url = new URL(database.url)
  proxy = await startMutingProxy(Number(url.port))
  url.port = String(proxy.port)
  const ports = await reusablePorts(PORTS.length)
  settings = {
    ...Object.fromEntries(PORTS.map((name, n) => [name, String(ports[n])])),
    ...Object.fromEntries(Object.entries(DRAIN).map(([name, ms]) => [name, String(ms)])),
    DATA_DIR: folder,
    DATABASE_URL: url.href,
    SANDBOX: '1',
  }
  running = null
})
afterEach(async () => {
  if (running && !running.exit) running.signalGroup('SIGKILL')
  await running?.exited
  await proxy.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Starts the program, silences its database, which is its event store, when it is ready, and sends SIGTERM. */
async function endWith(command: readonly string[], ready: RegExp): Promise<NpmProcess> {
  const program = startNpm(command, { settings })
  running = program
  await program.line(ready)
  proxy.mute()
  process.kill(program.pid, 'SIGTERM')
  await until('it has ended', () => program.exit, ENDED_MS_MAX)
  return program
}

const LEFT_BEHIND = expect.stringContaining('the drain took too long and left a step behind')

test('a gateway ends with 1 within the limit of its drain while PostgreSQL accepts connections and never answers', async () => {
  const { exit, lines } = await endWith(['run', 'start:gateway'], /"msg":"ready"/)
  expect(exit).toEqual({ code: 1, signal: null })
  expect(lines).toContainEqual(LEFT_BEHIND)
})

test('npm start ends with 1 within the limit of its drain while PostgreSQL accepts connections and never answers', async () => {
  const { exit, lines } = await endWith(['start'], /^See the charge:/)
  expect(exit).toEqual({ code: 1, signal: null })
  expect(lines.at(-1)).toMatch(/^Draining/)
  // Without this limit, a later one of the whole process would end it with 1 as well.
  expect((await readFile(join(folder, 'logs', 'tollgate.log'), 'utf8')).split('\n')).toContainEqual(LEFT_BEHIND)
})

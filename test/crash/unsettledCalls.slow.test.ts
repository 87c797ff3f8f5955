import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { patientDatabase } from '../support/databases/patientDatabase.ts'
import { holdPostgresLedger } from '../support/eventStores/heldLedger.ts'
import { type Answer, CHAT, call, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type Installation, startInstallation, UNLIMITED } from '../support/harness/installation.ts'
import { startGatewayProcess } from '../support/processes/gatewayProcess.ts'
import { reusablePorts } from '../support/processes/reusablePorts.ts'
import { until } from '../support/time/until.ts'
import { openBooks } from './installationBooks.ts'

const SETTLED_MS_MAX = 60_000

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation(UNLIMITED)
})
afterAll(() => installation.stop())

/** Keeps the store from answering, until the returned function is called. */
type Outage = () => Promise<() => Promise<void>>

const heldCounter: Outage = async () => (await holdPostgresLedger(await installation.databaseUrl())).release

/** What was sent to the sockets of a stopped process is read once it goes on. */
const stoppedDatabase: Outage = async () => {
  const postmaster = await installation.postmasterPid()
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(postmaster)])
  const pids = [postmaster, ...stdout.trim().split(/\s+/).map(Number)]
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name)
  }
  signal('SIGSTOP')
  return async () => signal('SIGCONT')
}

test.each<[string, NodeJS.Signals, Outage, boolean]>([
  ['kill -9 while the counter row is locked', 'SIGKILL', heldCounter, true],
  ['SIGTERM while the counter row is locked', 'SIGTERM', heldCounter, true],
  // A call with an Idempotency-Key needs the database before its provider is asked.
  ['kill -9 while the database is stopped', 'SIGKILL', stoppedDatabase, false],
])('%s: no call that was answered 503 stays charged', async (_, signal, outage, withKey) => {
  const [port] = await reusablePorts(1)
  const url = `http://127.0.0.1:${port}/llm/v1`
  const first = await startGatewayProcess(installation, port)
  // Opens the connections of the store and the views.
  expect((await chat(url)).status).toBe(200)
  const key = { 'idempotency-key': `told-503-${signal}` }
  const end = await outage()
  const refused = await Promise.all([chat(url), chat(url), ...(withKey ? [chat(url, key)] : [])])
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503))
  if (signal === 'SIGKILL') first.signalGroup(signal)
  else process.kill(first.pid, signal)
  await first.exited
  const recorded = (await unsettled()).map((name) => name.replace('.json', ''))
  expect(recorded).not.toEqual([])
  await end()
  await appendsEnded()

  await startGatewayProcess(installation, port)
  const retried = withKey ? [await chat(url, key)] : []
  const books = openBooks(await installation.databaseUrl(), installation.demo.companyId)
  onTestFinished(() => books.close())
  const typesOf = async (answer: Answer) =>
    (await books.ledger()).events.filter((event) => isOf(event, callIdOf(answer))).map(({ type }) => type)
  await until('no call is unsettled', async () => (await unsettled()).length === 0, SETTLED_MS_MAX)
  await until(
    'every call that was answered 503 costs nothing',
    async () => (await Promise.all(refused.map(typesOf))).every(isUncharged),
    SETTLED_MS_MAX,
  )
  for (const answer of refused) {
    if (recorded.includes(callIdOf(answer))) expect(await typesOf(answer)).not.toEqual([])
  }
  for (const answer of retried) {
    expect(answer.status).toBe(200)
    expect(await typesOf(answer)).toEqual(['CallCharged'])
  }
})

const unsettled = () => readdir(join(installation.dataDir, 'unsettled'))

const isOf = (event: LedgerEvent, callId: string) => 'callId' in event.data && event.data.callId === callId
/** A call that was never sent to the store may have no event. */
const isUncharged = (types: string[]) => ['', 'CallFailed', 'CallCharged,ChargeReversed'].includes(types.join())

function chat(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return call(url, CHAT, { key: installation.demo.apiKey, headers, body: chatBody() })
}

/** Waits until the database has carried out or refused what the gateway sent. */
async function appendsEnded(): Promise<void> {
  const database = patientDatabase({ url: await installation.databaseUrl() })
  const busy = `select from pg_stat_activity
    where application_name = 'tollgate appends' and (state = 'active' or wait_event_type = 'Lock')`
  try {
    await until('no append is under way', async () => (await database.query(busy)).length === 0, SETTLED_MS_MAX)
  } finally {
    await database.close()
  }
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../platform/clock/clock.ts'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import { startHelper } from '../gateway/benchProcess.ts'
import type { MeasuredBackend } from '../pages/openPage.ts'
import { startInstallation } from '../start/firstStart.ts'
import { dataDirOf, readGenerated } from './generated.ts'
import { GROWTH_SETTINGS } from './pastInstallation.ts'
import { type PastLedger, pastCompanies, pastEvent } from './pastLedger.ts'

export const CHECKOUT = join(import.meta.dirname, '..', '..')

/** One generated installation, run by `npm start`. */
export type Stack = MeasuredBackend & {
  readonly events: number
  /** The process from which all others of the installation descend, except for the database. */
  readonly pid: number
  readonly dataDir: string
  readonly ledger: PastLedger
  readonly chat: { readonly url: string; readonly apiKey: string }
}

type DemoFile = Readonly<Record<string, string>>

/** The settings for `npm start`, which are also used to measure a start. */
export function settingsOf(dataDir: string, providersFile: string): Record<string, string> {
  const noOtherEngines = { EVENTSTORE_URL: '', KAFKA_BROKERS: '', REDIS_URL: '', DATABASE_URL: '' }
  return { ...noOtherEngines, ...GROWTH_SETTINGS, DATA_DIR: dataDir, PROVIDERS_FILE: providersFile }
}

/** A provider that answers at once, for the aliases of all calls. Returns the file that names it. */
export async function startProvider(folder: BenchFolder): Promise<string> {
  const [port] = await freePorts(1)
  await startHelper(folder, 'chatUpstream.ts', String(port))
  const file = join(folder.path, 'providers.json')
  const provider = { name: 'bench', baseUrl: `http://127.0.0.1:${port}/v1`, model: 'bench-model' }
  await writeFile(file, JSON.stringify({ aliases: { 'svc/chat-default': { providers: [provider] } } }))
  return file
}

/** Runs the installations of all sizes at the same time, so that a round can alternate between them. */
export async function startStacks(folder: BenchFolder, data: string, sizes: readonly number[]): Promise<Stack[]> {
  const providersFile = await startProvider(folder)
  const stacks: Stack[] = []
  for (const events of sizes) {
    const dataDir = dataDirOf(data, events)
    const installation = await startInstallation(CHECKOUT, settingsOf(dataDir, providersFile))
    folder.closers.push(installation.stop)
    stacks.push(await stackOf(dataDir, events, installation.pid))
  }
  return stacks
}

async function stackOf(dataDir: string, events: number, pid: number): Promise<Stack> {
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const { companyId = '', keyId = '', apiKey = '', backendUrl: url = '', gatewayUrl } = demo
  const untilMs = (await readGenerated(dataDir))?.untilMs ?? systemClock.now()
  const ledger = { events, untilMs, companies: pastCompanies({ companyId, keyId }) }
  const callId = chargeBefore(ledger, events)
  return {
    events,
    pid,
    dataDir,
    ledger,
    url,
    facts: { companyId, callId, lastEntryId: callId },
    tokens: {
      admin: await signIn(url, demo.adminEmail, demo.adminPassword),
      superAdmin: await signIn(url, demo.superAdminEmail, demo.superAdminPassword),
    },
    chat: { url: `${gatewayUrl}/chat/completions`, apiKey },
  }
}

/** The id of the large company's last charge before the event with this number. */
export function chargeBefore(ledger: PastLedger, number: number): string {
  for (let n = number - 1; n >= 0; n--) {
    const { companyId, event } = pastEvent(ledger, n)
    if (companyId === ledger.companies[0].companyId && event.type === 'CallCharged') return event.id
  }
  throw new Error(`the large company has no charge before event ${number}`)
}

async function signIn(url: string, email = '', password = ''): Promise<string> {
  const query = 'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }'
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { email, password } }),
  })
  const { data, errors } = (await response.json()) as {
    data?: { login: { token: string } }
    errors?: readonly { message: string }[]
  }
  if (!data) throw new Error(`${email} could not sign in: ${errors?.[0]?.message}`)
  return data.login.token
}

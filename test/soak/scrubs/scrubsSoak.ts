import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { withBenchFolder } from '../../../bench/feed/benchFolder.ts'
import { machine } from '../../../bench/figure.ts'
import { freePorts } from '../../../bench/freePorts.ts'
import { readCpuTicks } from '../../../bench/stolenTime.ts'
import { openDatabase, type PostgresDatabase } from '../../../platform/postgres/database.ts'
import { Installation, UNLIMITED } from '../../support/harness/installation.ts'
import { runScript } from '../../support/processes/runScript.ts'
import { until } from '../../support/time/until.ts'
import type { SoakReport } from '../engines/enginesSoak.ts'
import { judgeScrubs, type ScrubsSeen } from './scrubsVerdict.ts'

export type ScrubsForm = { readonly name: string; readonly minutes: number }

export const WHOLE_SCRUBS: ScrubsForm = { name: 'whole', minutes: 60 }
export const SHORT_SCRUBS: ScrubsForm = { name: 'short', minutes: 2 }

const COMPANY_EVERY_MS = 1_000
const LOOK_EVERY_MS = 1_000
const AUDIT_EVERY_MS = 10_000
const SIGNED_MS_MAX = 60_000
/** The next scrub begins as soon as one has finished, except after a start. A scrub that is much slower than this is stuck. */
const SCRUBS_PER_MINUTE_MIN = 6
const SETTINGS = { ...UNLIMITED, LOG_SCRUB_SHARE: '0.5', LOG_SCRUB_INTERVAL_MS: '1', LOG_LEVEL: 'info' }
/** What the sealer says about a difference before it has read it a second time. */
const SUSPICION = 'differs from the transparency log, reading it again'

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }
type Counts = Mutable<Pick<ScrubsSeen, 'companies' | 'looks'>> & {
  readonly failures: string[]
  readonly alarms: string[]
  readonly audits: { code: number | null; output: string }[]
  /** When each whole scrub that was seen has finished. */
  readonly scrubs: Set<string>
}

/** An installation with a new company every second, scrubs and audits all the time, and a kill in the middle. */
export async function soakScrubs(form: ScrubsForm, tell: (line: string) => void): Promise<SoakReport> {
  const beganAt = performance.now()
  const begin = readCpuTicks()
  return withBenchFolder(async ({ path, closers }) => {
    const installation = new Installation(path, await freePorts(5), SETTINGS)
    closers.push(() => installation.stop())
    const counts: Counts = { companies: 0, looks: 0, failures: [], alarms: [], audits: [], scrubs: new Set() }
    const halfMs = (form.minutes * 60_000) / 2
    await installation.startAgain()
    tell('started')
    await run(installation, halfMs, counts, tell)
    await installation.kill9()
    await installation.startAgain()
    tell('killed, and started again')
    await run(installation, halfMs, counts, tell)
    const database = openDatabase({ url: await installation.databaseUrl(), connectionsMax: 2 })
    try {
      const sealed = await sealedOf(database)
      const suspicions = (await readFile(installation.demo.logFile, 'utf8')).split(SUSPICION).length - 1
      const scrubsMin = Math.floor(form.minutes * SCRUBS_PER_MINUTE_MIN)
      const checks = judgeScrubs({ ...counts, scrubs: counts.scrubs.size, scrubsMin, suspicions, sealed })
      const seconds = Math.round((performance.now() - beganAt) / 1000)
      const { companies, looks, audits, scrubs } = counts
      const seen = { companies, looks, audits: audits.length, scrubs: scrubs.size, sealed }
      const measuredAt = new Date().toISOString()
      return { measuredAt, machine: machine(begin), form: form.name, minutes: form.minutes, seen, checks, seconds }
    } finally {
      await database.close()
    }
  })
}

/** Creates companies, asks for the health and audits the log until the time is over. */
async function run(
  installation: Installation,
  ms: number,
  counts: Counts,
  tell: (line: string) => void,
): Promise<void> {
  const over = AbortSignal.timeout(ms)
  const database = openDatabase({ url: await installation.databaseUrl(), connectionsMax: 2 })
  const every = async (pauseMs: number, what: string, work: () => Promise<void>) => {
    while (!over.aborted) {
      const nextAt = performance.now() + pauseMs
      await work().catch((error: unknown) => void counts.failures.push(`${what}: ${String(error)}`))
      await wait(Math.max(0, nextAt - performance.now()), undefined, { signal: over }).catch(() => {})
    }
  }
  try {
    await Promise.all([
      every(COMPANY_EVERY_MS, 'a new company', async () => {
        await createCompany(installation, counts.companies + 1)
        counts.companies += 1
        if (counts.companies % 60 === 0) tell(`${counts.companies} companies, ${counts.scrubs.size} scrubs`)
      }),
      every(LOOK_EVERY_MS, 'a look', () => look(installation, database, counts)),
      every(AUDIT_EVERY_MS, 'an audit', async () => {
        const { code, stdout, stderr } = await runScript('audit.ts', ['--log', '--full', '--json'], installation.env)
        counts.audits.push({ code, output: code === 0 ? '' : `${stdout}${stderr}` })
        if (code !== 0) tell(`an audit ended with ${code}`)
      }),
    ])
  } finally {
    await database.close()
  }
}

/** A company with credits, so that its ledger has an event and needs a secret. */
async function createCompany({ demo }: Installation, nth: number): Promise<void> {
  const ask = async (query: string): Promise<Record<string, { readonly id: string }>> => {
    const answer = await fetch(`${demo.backendUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${demo.superAdminToken}` },
      body: JSON.stringify({ query }),
    })
    const { data, errors } = (await answer.json()) as { data: Record<string, { id: string }>; errors?: object }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  const { createCompany: company } = await ask(`mutation { createCompany(input: { name: "Company ${nth}" }) { id } }`)
  await ask(`mutation { grantCredits(companyId: "${company?.id}", credits: 1, reason: "soak") { id } }`)
}

async function look({ demo }: Installation, database: PostgresDatabase, counts: Counts): Promise<void> {
  const answer = await fetch(`${demo.backendUrl}/health`)
  const { components } = (await answer.json()) as { components: { log: { status: string; fault: string | null } } }
  counts.looks += 1
  if (components.log.status !== 'healthy') counts.alarms.push(components.log.fault ?? components.log.status)
  const [scrub] = await database.query<{ finishedAt: string | null }>('select finished_at from ledger_log.scrub')
  if (scrub?.finishedAt) counts.scrubs.add(scrub.finishedAt)
}

/** Waits until all is signed, or long enough. */
async function sealedOf(database: PostgresDatabase): Promise<ScrubsSeen['sealed']> {
  const read = async () => {
    const [row] = await database.query<{ events: string; entries: string; companies: string; signed: string }>(
      `select (select count(*) from event_store.events where stream like 'ledger-%') as events,
              (select count(*) from ledger_log.entries) as entries,
              (select count(distinct company_id) from ledger_log.entries) as companies,
              (select coalesce(max(size), 0) from ledger_log.checkpoints) as signed`,
    )
    const [events, entries, companies, signed] = [row?.events, row?.entries, row?.companies, row?.signed].map(Number)
    return { events: events ?? 0, entries: entries ?? 0, companies: companies ?? 0, signed: signed ?? 0 }
  }
  const isSigned = async () => {
    const { events, signed } = await read()
    return events === signed
  }
  await until('all events are signed', isSigned, SIGNED_MS_MAX).catch(() => {})
  return read()
}

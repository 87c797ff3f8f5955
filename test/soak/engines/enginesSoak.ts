import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { machine } from '../../../bench/figure.ts'
import { readCpuTicks } from '../../../bench/stolenTime.ts'
import { seededRandom } from '../../support/cases/seededRandom.ts'
import { PATIENCE } from '../../support/time/patience.ts'
import { until } from '../../support/time/until.ts'
import { readAloneTimes } from './aloneTimes.ts'
import { mintKey, registerCustomers } from './customers.ts'
import { type Check, check, judgeKill, judgeLedgers, judgeLimits } from './enginesVerdict.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { atRest, caughtUp, differFromRebuild, readLedger, wrongBalances } from './fleetBooks.ts'
import { limitWindows } from './keyLimitWindows.ts'
import { type Kill, killOne } from './kills.ts'
import { findRate, percentile } from './rate.ts'
import { Load, type SoakCall } from './steadyLoad.ts'
import { StoreProbe } from './storeProbe.ts'
import { type Victim, victimsOf } from './victims.ts'

export type SoakForm = {
  readonly name: string
  /** null: the highest that the stack holds here, 300 at most. */
  readonly rate: number | null
  /** How long an engine stays down. */
  readonly downMs: number
  /** The time between two kills. */
  readonly calmMs: number
  readonly keyRpm: number
  /**
   * How long a gateway may take a revoked key, and how long no relay may lead after the leader was killed. In the short form
   * all processors are busy while what was killed starts, since nothing is warm yet, so that the order of seconds is all that
   * can be told.
   */
  readonly refusedMsMax: number
  readonly takenOverMsMax: number
  /** The names of those to kill; null: all, each once. */
  readonly only: readonly string[] | null
}

export const WHOLE_FORM: SoakForm = {
  name: 'whole',
  rate: null,
  downMs: 10_000,
  calmMs: 15_000,
  keyRpm: 600,
  refusedMsMax: 1_000,
  takenOverMsMax: 5_000,
  only: null,
}
export const SHORT_FORM: SoakForm = {
  name: 'short',
  rate: 40,
  downMs: 2_500,
  calmMs: 1_000,
  keyRpm: 300,
  refusedMsMax: 5_000 * PATIENCE,
  takenOverMsMax: 15_000 * PATIENCE,
  only: null,
}

export type SoakReport = Readonly<Record<string, unknown>> & {
  readonly machine: ReturnType<typeof machine>
  readonly checks: readonly Check[]
}

/** A little more than twice the limit. */
const LIMIT_DRIVEN = 2.4
const SETTLED_MS_MAX = 60_000
const READY_MS_MAX = 60_000
/** A charge whose caller got no answer is retried in the background, ten times a second. */
const REST_MS = 3_000
const REST_MS_MAX = 120_000
const MINUTE_MS = 60_000

export async function soakEngines(form: SoakForm, tell: (line: string) => void): Promise<SoakReport> {
  const beganAt = performance.now()
  const begin = readCpuTicks()
  const fleet = await startFleet(tell)
  let hasHeld = false
  try {
    const report = await soak(fleet, form, tell)
    hasHeld = report.checks.every(({ passed }) => passed)
    return {
      measuredAt: new Date().toISOString(),
      machine: machine(begin),
      form: form.name,
      eventStore: fleet.store.name,
      ...report,
      seconds: secondsSince(beganAt),
    }
  } finally {
    if (!hasHeld) await keepLog(fleet, tell)
    tell('stopping')
    await fleet.stop()
  }
}

/** The logs are removed with the folder of the services, so they are saved for the search for a cause. */
async function keepLog(fleet: Fleet, tell: (line: string) => void): Promise<void> {
  const kept = join(tmpdir(), 'tollgate-soak.log')
  await copyFile(logFileOf(fleet), kept)
  tell(`the log of the services is kept in ${kept}`)
}

function logFileOf({ stack }: Fleet): string {
  return join(stack.dataDir, 'logs', 'tollgate.log')
}

async function soak(fleet: Fleet, form: SoakForm, tell: (line: string) => void) {
  const { engines, gateways } = fleet
  const random = seededRandom(1)
  const customers = await registerCustomers(engines)
  const [companyId = ''] = customers.companyIds
  const limited = await mintKey(engines, companyId, form.keyRpm)
  const load = new Load('call', gateways, customers.keys, form.rate ?? 1, random)
  const limitLoad = new Load('limited call', gateways, [limited], (form.keyRpm / 60) * LIMIT_DRIVEN, random)
  await everyGatewayAnswers(fleet, load, tell)
  const found = form.rate === null ? await findRate(fleet, load, tell) : null
  load.rate = found?.rate ?? form.rate ?? 1
  tell(`the load is ${load.rate} calls a second`)
  await wait(form.calmMs)

  const limitsFrom = Date.now()
  limitLoad.begin()
  const probe = new StoreProbe(engines.store)
  probe.begin()
  const kills = await killInTurn(fleet, { load, form, companyId, probe, tell })
  const gaps = kills
    .filter(({ victim }) => victim.name === 'Redis')
    .map((kill) => ({ from: kill.beganAt, to: kill.backAt + 2_000 }))
  // In the short form, the minute that is left after Redis came back may not be over yet.
  const wholeMinute = () =>
    limitWindows(limitLoad.calls, { from: limitsFrom, to: Date.now(), without: gaps, aloneTimes: [] }).length > 0
  await until('a whole minute is over', wholeMinute, 3 * MINUTE_MS)
  const limitsTo = Date.now()

  tell('ending the load')
  await Promise.all([load.end(), limitLoad.end()])
  // Not earlier, because calls that end after the last kill are checked, too.
  await probe.end()
  for (const { from, to } of probe.silences) {
    tell(
      `the store answered no append for ${((to - from) / 1000).toFixed(1)} s from ${new Date(from).toISOString()} on`,
    )
  }
  await atRest(engines, REST_MS, REST_MS_MAX)
  const isSettled = await caughtUp(engines, SETTLED_MS_MAX)
  tell('reading the ledgers')
  const ledgers = []
  for (const id of customers.companyIds) ledgers.push(await readLedger(engines, id))
  const calls = [...load.calls, ...limitLoad.calls]
  const { checks: ledgerChecks, counts } = judgeLedgers({ calls, ledgers, log: await fleet.provider.calls() })
  const aloneTimes = await readAloneTimes(logFileOf(fleet))
  const windows = limitWindows(limitLoad.calls, { from: limitsFrom, to: limitsTo, without: gaps, aloneTimes })
  const wrong = await wrongBalances(engines, ledgers)
  tell('rebuilding the read models')
  const different = isSettled ? await differFromRebuild(engines) : ['the read models did not catch up with the ledger']
  const checks = [
    ...kills.flatMap((kill, n) =>
      judgeKill(kill, endedBetween(load.calls, kill.beganAt, kills[n + 1]?.beganAt), kills, probe.silences),
    ),
    ...ledgerChecks,
    check('the read models hash equal to a rebuild', different, 'all of them'),
    check('the balances shown are those of the ledgers', wrong, `of ${ledgers.length} companies`),
    judgeLimits(windows, form.keyRpm, gateways.length),
    check('no service ended by itself', endedByThemselves(fleet, kills), 'only those that were killed'),
  ]
  return {
    rate: load.rate,
    highestRate: found?.highest ?? null,
    rateSteps: found?.steps ?? [],
    unsent: load.unsent,
    p50Ms: percentile(load.calls, 0.5),
    p99Ms: percentile(load.calls, 0.99),
    counts,
    limits: { rpm: form.keyRpm, windows },
    kills: kills.map(shortened),
    storeSilences: probe.silences.map(({ from, to }) => ({ at: new Date(from).toISOString(), ms: to - from })),
    checks,
  }
}

/** Their views follow the events by themselves; the first calls wait for nothing else. */
async function everyGatewayAnswers({ gateways }: Fleet, load: Load, tell: (line: string) => void): Promise<void> {
  tell('waiting until every gateway takes calls')
  load.begin()
  const isAnswered = () => {
    const latest = load.calls.slice(-3 * gateways.length)
    return latest.length === 3 * gateways.length && latest.every(({ whole }) => whole)
  }
  const rate = load.rate
  load.rate = 20
  await until('every gateway takes calls', isAnswered, READY_MS_MAX)
  load.rate = rate
}

type Killing = {
  readonly load: Load
  readonly form: SoakForm
  readonly companyId: string
  readonly probe: StoreProbe
  readonly tell: (line: string) => void
}

async function killInTurn(fleet: Fleet, { load, form, companyId, probe, tell }: Killing): Promise<Kill[]> {
  const kills: Kill[] = []
  for (const victim of chosenVictims(fleet, form.only)) {
    tell(`killing ${victim.name}`)
    const kill = await killOne({ ...form, fleet, load, companyId }, victim)
    kills.push(kill)
    const { beganAt } = kill
    for (const { name, passed, detail } of judgeKill(kill, endedBetween(load.calls, beganAt), kills, probe.silences)) {
      tell(`  ${passed ? 'ok' : 'MISSED'} ${name}: ${detail}`)
    }
    await wait(form.calmMs)
  }
  return kills
}

function chosenVictims(fleet: Fleet, only: readonly string[] | null): Victim[] {
  const all = victimsOf(fleet)
  if (!only) return all
  return only.map((wanted) => {
    const found = all.find(({ name }) => name === wanted)
    if (!found) throw new Error(`there is no victim ${wanted}, only ${all.map(({ name }) => name).join(', ')}`)
    return found
  })
}

function endedBetween(calls: readonly SoakCall[], from: number, to = Number.POSITIVE_INFINITY): SoakCall[] {
  return calls.filter(({ endedAt }) => endedAt >= from && endedAt < to)
}

/** The supervisor reports every exit of a service; exits that the soak did not cause are faults. */
function endedByThemselves({ stack }: Fleet, kills: readonly Kill[]): string[] {
  const killed = new Set(kills.map((kill) => `tollgate: ${kill.killed} has ended (SIGKILL)`))
  return stack.npm.lines.filter(
    (line) => / has ended \(/.test(line) && ![...killed].some((start) => line.startsWith(start)),
  )
}

function shortened({
  victim,
  killed,
  beganAt,
  killedAt,
  backAt,
  recoveredAt,
  caughtUpAt,
  revokedAt,
  refusals,
  takenOverAt,
}: Kill) {
  const since = (from: number, to: number | null) => (to === null ? null : to - from)
  return {
    victim: victim.name,
    killed,
    killedAt: new Date(beganAt).toISOString(),
    backMs: since(killedAt, backAt),
    answeredMs: since(backAt, recoveredAt),
    caughtUpMs: since(backAt, caughtUpAt),
    revokedMs: since(killedAt, revokedAt),
    takenOverMs: since(killedAt, takenOverAt),
    acceptedMs: refusals,
  }
}

function secondsSince(beganAt: number): number {
  return Math.round((performance.now() - beganAt) / 1000)
}

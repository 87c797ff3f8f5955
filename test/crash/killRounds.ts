import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type SeededRandom, seededRandom } from '../support/cases/seededRandom.ts'
import { type Installation, makeInstallation, UNLIMITED } from '../support/harness/installation.ts'
import { type RecordingProvider, startRecordingProvider } from '../support/parties/recordingProvider.ts'
import { until } from '../support/time/until.ts'
import { LIFE_MS_MAX, startLoad } from './callerLoad.ts'
import { API_PATHS, type Outcome } from './chatCall.ts'
import { openBooks } from './installationBooks.ts'
import { judge } from './judgeCharges.ts'
import { startStalledCall } from './stalledCall.ts'

export const CALLERS = 200
/** The last kill comes when about this many calls of its round have ended. */
const CALLS_BEFORE_LAST_KILL = 400
const ENDED_MS_MAX = 120_000
/** In these rounds Postgres is killed too, and the next start replays its log. */
const isWithPostgres = (round: number) => round % 4 === 2

type Round = {
  readonly installation: Installation
  readonly provider: RecordingProvider
  readonly random: SeededRandom
  readonly round: number
  readonly kills: number
}

/**
 * Kills the server this many times under load, starts it again each time, and then compares what the clients received
 * with the ledger, the provider's log, the ledger's own log and the read models. KILL_SEED=<the printed number> repeats a run, as far as the
 * machine's own timing allows.
 */
export async function killAndCompareBooks(kills: number): Promise<void> {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007)
  const random = seededRandom(seed)
  process.stdout.write(`kill test: seed ${seed}\n`)
  const began = performance.now()
  const provider = await startRecordingProvider()
  onTestFinished(() => provider.close())
  const installation = await makeInstallation({ ...UNLIMITED, PROVIDERS_FILE: provider.providersFile })
  onTestFinished(() => installation.stop())
  await installation.startAgain()

  const outcomes: Outcome[] = []
  for (let round = 0; round < kills; round += 1) {
    const run = round === kills >> 1 ? killBetweenCommitAndLastByte : killAtRandomMoment
    outcomes.push(...(await run({ installation, provider, random, round, kills })))
    await installation.startAgain()
  }

  const books = openBooks(await installation.databaseUrl(), installation.demo.companyId)
  onTestFinished(() => books.close())
  await books.settled()
  const verdict = judge({ outcomes, ledger: (await books.ledger()).events, log: provider.calls })
  printSummary(installation, outcomes, verdict, began)
  expect(verdict.faults).toEqual([])
  expect(verdict.chargedNotWhole).toBeGreaterThan(0)
  for (const path of API_PATHS) {
    for (const streamed of [true, false]) {
      const kind = outcomes.filter((outcome) => outcome.path === path && outcome.streamed === streamed)
      expect(kind.some(({ whole }) => whole)).toBe(true)
      expect(kind.some(({ whole }) => !whole)).toBe(true)
    }
  }

  const { entries, notOnce } = await books.verifyTransparencyLog()
  expect(notOnce).toEqual([])
  expect(entries).toBeGreaterThanOrEqual(verdict.charged)

  const live = await books.hashes()
  await books.rebuildAll()
  expect(await books.hashes()).toEqual(live)
  const { audited, shown } = await books.balances()
  expect(shown).toBe(audited)
}

/**
 * Each round kills somewhat later than the one before, at a random moment of its share. The moment is counted in calls
 * that have ended, so that a slow machine is killed in the same states as a fast one.
 */
async function killAtRandomMoment({ installation, random, round, kills }: Round): Promise<Outcome[]> {
  const callsBefore = Math.floor(((round + random.next()) / kills) * CALLS_BEFORE_LAST_KILL)
  const load = startLoad(installation.demo, CALLERS, `round ${round}`, random)
  await until(`${callsBefore} calls have ended`, () => load.ended >= callsBefore, ENDED_MS_MAX)
  await wait((random.next() * LIFE_MS_MAX) / 4)
  expect(load.inFlight).toBe(CALLERS)
  const outcomes = load.end()
  await (isWithPostgres(round) ? installation.kill9WithPostgres() : installation.kill9())
  return outcomes
}

async function killBetweenCommitAndLastByte({ installation, provider, random, round }: Round): Promise<Outcome[]> {
  const { demo } = installation
  const load = startLoad(demo, CALLERS - 1, `round ${round}`, random)
  const stalled = startStalledCall(demo, `round ${round}, stalled`)
  const books = openBooks(await installation.databaseUrl(), demo.companyId)
  try {
    const { callId } = await until('the provider has the stalled call', () => provider.callMarked(stalled.marker))
    await until('the stalled call is charged', () => books.isCharged(callId))
    expect(load.inFlight).toBe(CALLERS - 1)
    const outcomes = load.end()
    await installation.kill9()
    const { received, announced } = (await stalled.readToTheEnd()) ?? { received: 0, announced: 1 }
    expect(received).toBeLessThan(announced)
    return outcomes
  } finally {
    await books.close()
  }
}

function printSummary(
  { startSeconds }: Installation,
  outcomes: readonly Outcome[],
  verdict: ReturnType<typeof judge>,
  began: number,
): void {
  const [first = 0, ...later] = startSeconds
  const seconds = (n: number) => n.toFixed(1)
  process.stdout.write(
    `kill test: ${outcomes.length} calls, ${verdict.whole} whole, ${verdict.charged} charged, ` +
      `${verdict.chargedNotWhole} charged without a whole response; ${seconds((performance.now() - began) / 1000)} s; ` +
      `ready after ${seconds(first)} s, later ${later.map(seconds).join(' ')}\n`,
  )
}

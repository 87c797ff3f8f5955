import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Installation, makeInstallation, UNLIMITED } from '../support/installation.ts'
import { type RecordingProvider, startRecordingProvider } from '../support/recordingProvider.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { until } from '../support/until.ts'
import { openBooks } from './books.ts'
import type { Outcome } from './chatCall.ts'
import { LIFE_MS_MAX, startLoad } from './load.ts'
import { startStalledCall } from './stalledCall.ts'
import { judge } from './verdict.ts'

/** A few in `npm test`, twenty in `npm run test:engines`, which has the time for them. */
const KILLS = Number(process.env.KILLS ?? 4)
const CALLERS = 200
/** The last kill comes when about so many calls of its round have ended. */
const CALLS_BEFORE_LAST_KILL = 400
/** In these rounds Postgres dies with us, and the next start replays its log. */
const isWithPostgres = (round: number) => round % 5 === 3
const FORCED = KILLS >> 1
const TEST_MS_MAX = 300_000

/** KILL_SEED=<the printed number> repeats a run, as far as the machine's own timing lets it. */
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007)
const random = seededRandom(seed)

test(`${KILLS} kills with ${CALLERS} calls in flight lose no charge and invent none`, {
  timeout: TEST_MS_MAX,
}, async () => {
  process.stdout.write(`kill test: seed ${seed}\n`)
  const began = performance.now()
  const provider = await startRecordingProvider()
  onTestFinished(() => provider.close())
  const installation = await makeInstallation({ ...UNLIMITED, PROVIDERS_FILE: provider.providersFile })
  onTestFinished(() => installation.stop())
  await installation.startAgain()

  const outcomes: Outcome[] = []
  for (let round = 0; round < KILLS; round += 1) {
    const run = round === FORCED ? killBetweenCommitAndLastByte : killAtRandomMoment
    outcomes.push(...(await run(installation, provider, round)))
    await installation.startAgain()
  }

  const books = openBooks(await installation.databaseUrl(), installation.demo.companyId)
  onTestFinished(() => books.close())
  await books.caughtUp()
  const verdict = judge({ outcomes, ledger: (await books.ledger()).events, log: provider.calls })
  tell(installation, outcomes, verdict, began)
  expect(verdict.faults).toEqual([])
  expect(verdict.chargedNotWhole).toBeGreaterThan(0)
  for (const streamed of [true, false]) {
    const kind = outcomes.filter((outcome) => outcome.streamed === streamed)
    expect(kind.some(({ whole }) => whole)).toBe(true)
    expect(kind.some(({ whole }) => !whole)).toBe(true)
  }

  const live = await books.hashes()
  await books.rebuildAll()
  expect(await books.hashes()).toEqual(live)
  const { audited, shown } = await books.balances()
  expect(shown).toBe(audited)
})

/**
 * From calls that are still being sent to calls of the third generation: one random moment in each share of the way. It is
 * measured in calls that have ended, so that a slow machine is killed in the same states as a fast one.
 */
async function killAtRandomMoment(installation: Installation, _: RecordingProvider, round: number): Promise<Outcome[]> {
  const callsBefore = Math.floor(((round + random.next()) / KILLS) * CALLS_BEFORE_LAST_KILL)
  const load = startLoad(installation.demo, CALLERS, `round ${round}`, random)
  await until(`${callsBefore} calls have ended`, () => load.ended >= callsBefore)
  await wait((random.next() * LIFE_MS_MAX) / 4)
  expect(load.inFlight).toBe(CALLERS)
  const outcomes = load.end()
  await (isWithPostgres(round) ? installation.kill9WithPostgres() : installation.kill9())
  return outcomes
}

async function killBetweenCommitAndLastByte(
  installation: Installation,
  provider: RecordingProvider,
  round: number,
): Promise<Outcome[]> {
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

function tell(
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

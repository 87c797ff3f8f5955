import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE } from '../support/time/patience.ts'
import { until } from '../support/time/until.ts'
import { largeBodyAttacks } from './attacks/bodies.ts'
import { documentAttacks, ordinaryDocuments } from './attacks/documents.ts'
import { halfSentAttack } from './attacks/doors.ts'
import { everyAttack } from './attacks/everyAttack.ts'
import { readFixtures } from './fixtures.ts'
import { HELD_GROWTH_MB_MAX } from './fuzz/growth.ts'
import { confirmStall, STALL_MS_MAX } from './fuzz/stallCheck.ts'
import { everyRoute } from './routes.ts'
import { type ProcessTarget, startProcessTarget } from './target/processTarget.ts'
import { tryCases } from './tryCases.ts'
import { headOf, lengthOf, type WireCase } from './wireCase.ts'

const CASES_PER_ROUND = 400
/** On a busy machine a document is read for thirty seconds, because its reader has a low priority, and may wait for others. */
const ANSWER_MS_MAX = 150_000 * PATIENCE

/** Long enough on a busy machine; a caller without credentials has five seconds for its body. */
const HALF_SENT_MS_MAX = 30_000 * PATIENCE

let target: ProcessTarget
beforeAll(async () => {
  target = await startProcessTarget()
})
afterAll(() => target.close())

const routes = everyRoute().filter(({ service }) => service !== 'operations')

/** The faults in the answers, and the longest stall. */
async function tried(cases: readonly WireCase[]): Promise<{ readonly faults: string[]; readonly longestMs: number }> {
  const faults: string[] = []
  let [longestMs, peakMb] = [0, 0]
  for (let at = 0; at < cases.length; at += CASES_PER_ROUND) {
    const round = cases.slice(at, at + CASES_PER_ROUND)
    faults.push(...(await tryCases(target, round, ANSWER_MS_MAX)))
    const { stallMs, rssPeakMb } = await target.read()
    ;[longestMs, peakMb] = [Math.max(longestMs, stallMs), Math.max(peakMb, rssPeakMb)]
  }
  process.stdout.write(
    `${cases.length} attacks: longest stall ${longestMs.toFixed()} ms of main-thread time, peak memory ${peakMb.toFixed()} MB\n`,
  )
  return { faults, longestMs }
}

/** Cases are repeated only if the process stalled, to rule out chance. */
async function expectNoStall(cases: readonly WireCase[]): Promise<void> {
  const { faults, longestMs } = await tried(cases)
  expect(faults).toEqual([])
  if (longestMs <= STALL_MS_MAX) return
  const stall = await confirmStall(target, cases)
  expect(stall && `${stall.stallMs.toFixed()} ms: ${stall.cases.map(({ name }) => name).join(', ')}`).toBeNull()
}

test('every attack on every route is answered, and none shows a secret or a fault of ours', async () => {
  expect((await tried(everyAttack(routes))).faults).toEqual([])
})

test('a body whose rest never comes is answered or closed, on every route', async () => {
  expect(await tryCases(target, routes.map(halfSentAttack), HALF_SENT_MS_MAX, routes.length)).toEqual([])
})

test('distinct GraphQL documents of callers without a token are not kept in memory', async () => {
  const documents = Array.from({ length: 400 }, (_, n) => longDocument(n))
  expect((await tried(documents.slice(0, 50))).faults).toEqual([])
  const before = await target.probe.read({ collectGarbage: true })
  expect((await tried(documents)).faults).toEqual([])
  // The resources of the last answers are released a moment later.
  await until('the documents are not held', async () => {
    const after = await target.probe.read({ collectGarbage: true })
    return after.heldMb - before.heldMb < HELD_GROWTH_MB_MAX
  })
})

function longDocument(n: number): WireCase {
  const body = [JSON.stringify({ query: `query Q${n} { ${'__typename #aaaaaaaaaa\n'.repeat(950)} }` })]
  const headers = { 'content-type': 'application/json', 'content-length': lengthOf(body) }
  const head = headOf('POST', '/graphql', { headers })
  return { name: 'backend POST /graphql: a long document', service: 'backend', head, body, mayFail: true }
}

test('documents that take gigabytes or hours to read are answered and stall no other caller', async () => {
  // JIT compilation on first use is not a stall, but ruling it out would take minutes.
  expect((await tried(ordinaryDocuments())).faults).toEqual([])
  await expectNoStall(documentAttacks())
})

test.each(routes.flatMap(largeBodyAttacks).map((each) => [each.name, each] as const))(
  '%s stalls no other caller',
  (_, each) => expectNoStall([each]),
)

test.each(readFixtures())('%s, which was a finding once, is answered and stalls no other caller', (_, { cases }) =>
  expectNoStall(cases),
)

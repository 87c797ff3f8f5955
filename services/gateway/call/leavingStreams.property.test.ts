import { setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../../../test/support/gatewayClient.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/memoryGateway.ts'
import { propertyRuns } from '../../../test/support/propertyRuns.ts'
import { chunk, DONE, type Script, USAGE, usageBlock } from '../../../test/support/scriptedProvider.ts'
import { until } from '../../../test/support/until.ts'

/** As `finish_reason` of every choice. No other part of a stream contains it. */
const FINISH = 'the-finish'

let gateway: MemoryGateway
beforeAll(async () => {
  gateway = await startMemoryGateway()
})
afterAll(() => gateway.close())

type Choice = {
  readonly words: number
  /** The last word and the finish_reason come in one event. */
  readonly finishesWithWord: boolean
}

type Plan = {
  readonly path: '/chat/completions' | '/completions'
  readonly choices: readonly Choice[]
  /** Whose turn it is to send its next event. */
  readonly turns: readonly number[]
  /** Two choices that have their next events at the same time send them as one. */
  readonly together: readonly boolean[]
  readonly usageWithFinish: boolean
  readonly sendsDone: boolean
  /** Where the bytes are cut into pieces, and how many turns of the event loop pass before each. */
  readonly cuts: readonly number[]
  readonly pauses: readonly number[]
  /** How many turns of the event loop an append takes. */
  readonly appendTicks: number
  /** The caller leaves this many turns after it received this share of the stream's bytes; null: it stays. */
  readonly leaves: { readonly after: number; readonly ticks: number } | null
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const ticks = fc.nat({ max: 30 })
const plans: fc.Arbitrary<Plan> = fc.record({
  path: fc.constantFrom('/chat/completions', '/completions'),
  choices: fc.array(fc.record({ words: fc.integer({ min: 1, max: 3 }), finishesWithWord: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  turns: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
  together: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  usageWithFinish: fc.boolean(),
  sendsDone: fc.boolean(),
  cuts: fc.array(share, { maxLength: 8 }),
  pauses: fc.array(ticks, { minLength: 10, maxLength: 10 }),
  appendTicks: ticks,
  leaves: fc.option(fc.record({ after: share, ticks }), { freq: 6 }),
})

/** The events of a stream, by choice in order, between the choices as the plan says. */
function eventsOf({ path, choices, turns, together, usageWithFinish, sendsDone }: Plan): string[] {
  const left = choices.map(({ words, finishesWithWord }, index) => {
    const said = (text: string, finish: string | null) =>
      path === '/completions'
        ? { index, text, finish_reason: finish }
        : { index, delta: { content: text }, finish_reason: finish }
    const last = finishesWithWord ? [said('last', FINISH)] : [said('last', null), said('', FINISH)]
    return [...Array.from({ length: words - 1 }, (_, n) => said(`word-${n}`, null)), ...last]
  })
  const events: string[] = []
  for (let turn = 0; left.some((choice) => choice.length > 0); turn++) {
    const open = left.filter((choice) => choice.length > 0)
    const first = (turns[turn % turns.length] ?? 0) % open.length
    const takers = together[turn % together.length] ? open : [open[first]]
    const sent = takers.map((choice) => choice?.shift())
    const isLast = left.every((choice) => choice.length === 0)
    events.push(chunk({ choices: sent, ...(isLast && usageWithFinish ? { usage: USAGE } : {}) }))
  }
  return [...events, ...(usageWithFinish ? [] : [usageBlock()]), ...(sendsDone ? [DONE] : [])]
}

async function pass(turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await tick()
}

function cutInto(bytes: Buffer, { cuts, pauses }: Plan): Script {
  const places = [...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].sort((a, b) => a - b)
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let from = 0
    for (const [n, to] of places.entries()) {
      await pass(pauses[n % pauses.length] ?? 0)
      if (to > from) response.write(bytes.subarray(from, to))
      from = to
    }
    response.end()
  }
}

/** Makes the call, and checks at each piece that no finish_reason arrives before the charge. */
async function run(plan: Plan): Promise<{ readonly text: string; readonly callId: string }> {
  const { path, choices, appendTicks, leaves } = plan
  const bytes = Buffer.from(eventsOf(plan).join(''))
  gateway.store.failNext(async (apply) => {
    await pass(appendTicks)
    return apply()
  })
  gateway.provider.next(cutInto(bytes, plan))
  const asked = path === '/completions' ? { prompt: 'Hello' } : { messages: [{ role: 'user', content: 'Hello' }] }
  const body = { model: 'svc/chat-default', stream: true, n: choices.length, ...asked }
  const response = await send(gateway.url, `/llm/v1${path}`, { key: gateway.mintKey(), body })
  expect(response.statusCode).toBe(200)
  const callId = String(response.headers['x-request-id'])
  let text = ''
  const leaveAt = leaves === null ? Number.POSITIVE_INFINITY : leaves.after * bytes.length
  const leave = () => void pass(leaves?.ticks ?? 0).then(() => response.destroy())
  if (leaveAt === 0) leave()
  const finishedUncharged: string[] = []
  response.on('data', (piece: Buffer) => {
    text += piece.toString()
    if (text.includes(FINISH) && gateway.eventsOf(callId)[0]?.type !== 'CallCharged') finishedUncharged.push(text)
    if (Buffer.byteLength(text) >= leaveAt) leave()
  })
  response.on('error', () => {})
  await new Promise((resolve) => response.once('close', resolve))
  expect(finishedUncharged).toEqual([])
  await until('the call ends on the ledger', () => gateway.eventsOf(callId).length > 0)
  return { text, callId }
}

test('whenever a caller leaves, it is charged or has no finish_reason of any choice', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { text, callId } = await run(plan)
      const ends = gateway.eventsOf(callId).map(({ type }) => type)
      expect(ends).toHaveLength(1)
      const finishes = text.split(FINISH).length - 1
      if (finishes > 0) expect(ends).toEqual(['CallCharged'])
      if (plan.leaves === null) {
        expect(ends).toEqual(['CallCharged'])
        expect(finishes).toBe(plan.choices.length)
        // The order of each choice stays, whatever passed it.
        for (const [index, { words }] of plan.choices.entries()) {
          const said = [...text.matchAll(/data: (\{.*\})\n/g)]
            .flatMap(([, data]) => JSON.parse(data ?? '').choices)
            .filter((choice) => choice.index === index)
            .map((choice) => choice.text ?? choice.delta.content)
          const expected = [...Array.from({ length: words - 1 }, (_, n) => `word-${n}`), 'last']
          expect(said.filter((word) => word !== '')).toEqual(expected)
        }
      }
    }),
    { numRuns: propertyRuns({ few: 40, many: 1_500 }) },
  )
})

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAndLeave, type Timing, timingFields } from '../../../test/support/callers/leavingCaller.ts'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'
import { chunk, DONE, USAGE, usageBlock } from '../../../test/support/parties/scriptedProvider.ts'

/** The `finish_reason` of every choice. No other part of the stream contains it. */
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

type Plan = Timing & {
  readonly path: '/chat/completions' | '/completions'
  readonly choices: readonly Choice[]
  /** The choice that sends its next event. */
  readonly turns: readonly number[]
  /** Two choices that have their next events at the same time send them as one. */
  readonly together: readonly boolean[]
  readonly usageWithFinish: boolean
  readonly sendsDone: boolean
}

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
  ...timingFields,
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

test('whenever a caller leaves, it is charged or has no finish_reason of any choice', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { path, choices } = plan
      const fields = path === '/completions' ? { prompt: 'Hello' } : { messages: [{ role: 'user', content: 'Hello' }] }
      const body = { model: 'svc/chat-default', stream: true, n: choices.length, ...fields }
      const isFinished = (sent: string) => sent.includes(FINISH)
      const text = await callAndLeave(gateway, { path, body, events: eventsOf(plan), isFinished }, plan)
      if (plan.leaves === null) {
        expect(text.split(FINISH).length - 1).toBe(choices.length)
        // The order of each choice stays, whatever passed it.
        for (const [index, { words }] of choices.entries()) {
          const said = [...text.matchAll(/data: (\{.*\})\n/g)]
            .flatMap(([, data]) => JSON.parse(data ?? '').choices)
            .filter((choice) => choice.index === index)
            .map((choice) => choice.text ?? choice.delta.content)
          const expected = [...Array.from({ length: words - 1 }, (_, n) => `word-${n}`), 'last']
          expect(said.filter((word) => word !== '')).toEqual(expected)
        }
      }
    }),
    { numRuns: propertyRuns({ few: 40, many: 250 }) },
  )
})

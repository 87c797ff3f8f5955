import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { answers, eventsOf } from '../../../test/support/translation/answers.ts'
import { SDK_CLIENTS } from '../../../test/support/translation/sdkClients.ts'
import type { Answer } from './conversation/answer.ts'
import { Dropped } from './conversation/dropped.ts'
import { TRANSLATED_WIRES, type TranslatedWire } from './conversation/reasoningState.ts'
import { WIRE_TRANSLATIONS } from './wireTranslations.ts'

const FRAME = { callId: 'c1', model: 'svc/chat-default', createdAt: 1, request: {} }
const REQUESTS = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
  responses: { model: 'm', input: 'Hello' },
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
}
/** Reasoning of another API than the caller's, which has to be sealed. */
const OTHER = { chat: 'messages', responses: 'messages', messages: 'responses' } as const
const runs = propertyRuns({ few: 15, many: 1_000 })

/** What the client shows of reasoning in chat is its last piece only; the opaque field has all of it. */
function shown(wire: TranslatedWire, answer: unknown): Answer {
  const text = JSON.stringify(answer, (name, value: unknown) => (name === 'reasoning_content' ? undefined : value))
  return WIRE_TRANSLATIONS[wire].readAnswer(JSON.parse(text), new Dropped())
}

test.each(TRANSLATED_WIRES)('the official client of %s puts a stream together as the whole answer', async (wire) => {
  const cases = fc.record({
    answer: answers(OTHER[wire], wire),
    cuts: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    atOnce: fc.boolean(),
  })
  const property = fc.asyncProperty(cases, async ({ answer, cuts, atOnce }) => {
    const { createStreamWriter, writeAnswer } = WIRE_TRANSLATIONS[wire]
    const writer = createStreamWriter(FRAME)
    const sse = eventsOf(answer, cuts, atOnce)
      .flatMap((event) => writer.write(event))
      .join('')
    const put = await SDK_CLIENTS[wire](REQUESTS[wire], { sse })
    expect(shown(wire, put.answer)).toEqual(shown(wire, writeAnswer(answer, FRAME)))
  })
  await fc.assert(property, { numRuns: runs })
})

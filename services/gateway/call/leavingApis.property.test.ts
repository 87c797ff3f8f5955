import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAndLeave, timingFields } from '../../../test/support/callers/leavingCaller.ts'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { messagesStream } from '../../../test/support/events/messagesEvents.ts'
import { responsesEvents, responsesStream } from '../../../test/support/events/responsesEvents.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'

let gateway: MemoryGateway
beforeAll(async () => {
  gateway = await startMemoryGateway()
})
afterAll(() => gateway.close())

const MODEL = { model: 'svc/chat-default', stream: true }
const texts = fc.array(fc.constantFrom('Good', 'day', 'to', 'you.'), { minLength: 1, maxLength: 5 })
const plans = fc.record({ words: texts, items: fc.integer({ min: 1, max: 3 }), ...timingFields })
const numRuns = propertyRuns({ few: 25, many: 150 })

/** Several messages in sequence, each with the events that complete it. */
function answerOf(items: number, text: string): string[] {
  if (items === 1) return responsesStream(text)
  const { created, itemAdded, partAdded, says, textDone, partDone, itemDone, ends } = responsesEvents()
  const message = (index: number) => [
    ...[itemAdded(index), partAdded(index), says(text, index)],
    ...[textDone(text, index), partDone(text, index), itemDone(index)],
  ]
  return [created(), ...Array.from({ length: items }, (_, index) => message(index)).flat(), ends()]
}

test('whenever a caller leaves a Responses stream, it is charged or has not the end of the last item', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ words, items, ...timing }) => {
      const events = answerOf(items, words.join(' '))
      const done = new RegExp(`response\\.output_(?:text|item)\\.done"[^\\n]*"output_index":${items - 1}\\b`)
      const isFinished = (text: string) => done.test(text) || text.includes('response.completed')
      const call = { path: '/responses', body: { ...MODEL, input: 'Hello' }, events, isFinished }
      const text = await callAndLeave(gateway, call, timing)
      if (timing.leaves === null) expect(isFinished(text)).toBe(true)
    }),
    { numRuns },
  )
})

test('whenever a caller leaves a Messages stream, it is charged or has no stop_reason', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ words, items: _, ...timing }) => {
      const isFinished = (text: string) => text.includes('"stop_reason":"') || text.includes('message_stop')
      const body = { ...MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
      const call = { path: '/messages', body, events: messagesStream(words.join(' ')), isFinished }
      const text = await callAndLeave(gateway, call, timing)
      if (timing.leaves === null) expect(isFinished(text)).toBe(true)
    }),
    { numRuns },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { responsesEvents, responsesStream } from '../../../../test/support/events/responsesEvents.ts'
import { RESPONSES_STREAM } from './responsesStream.ts'

const dataOf = (event: string) => Buffer.from(/^data: (.*)$/m.exec(event)?.[1] ?? '')
const readEvent = (event: string) => RESPONSES_STREAM.readEvent(dataOf(event))

function run(events: readonly (string | null)[]) {
  const gate = RESPONSES_STREAM.begin({ n: 1 })
  const decisions = events.map((event) => gate.admit(event === null ? null : readEvent(event)))
  return { decisions, gate, end: gate.end() }
}

const used = {
  ...{ tokensIn: 1_000, tokensOut: 500, parts: { cachedInput: 0, reasoning: 0 }, units: {} },
  ...{ serviceTier: null, total: 1_500 },
}

describe('the gate of a Responses stream', () => {
  test('holds the events that complete the last item, and the end', () => {
    const { decisions, end } = run(responsesStream('Good day.'))
    expect(decisions.join(' ')).toBe('pass pass pass pass pass hold hold hold hold')
    expect(end).toEqual({ usage: used, finished: true, sawDone: false })
  })

  test('releases what it holds when another item begins', () => {
    const { itemAdded, says, textDone, itemDone, ends } = responsesEvents()
    const events = [itemAdded(), says('a'), textDone('a'), itemDone(), itemAdded(1), says('b', 1), itemDone(1), ends()]
    expect(run(events).decisions.join(' ')).toBe('pass pass hold hold release pass hold hold')
  })

  test('releases what it holds when another part of the item begins', () => {
    const { itemAdded, partAdded, partDone, says } = responsesEvents()
    const events = [itemAdded(), partAdded(), partDone('a'), partAdded(0, 1), says('b'), partDone('b')]
    expect(run(events).decisions.join(' ')).toBe('pass pass hold release pass hold')
  })

  test('passes the events that complete an item while another one goes on', () => {
    const { itemAdded, says, itemDone, textDone } = responsesEvents()
    const events = [itemAdded(0), itemAdded(1), itemDone(0), says('b', 1), textDone('b', 1), itemDone(1)]
    expect(run(events).decisions.join(' ')).toBe('pass pass pass pass hold hold')
  })

  test('takes the first event of an item for its beginning if the provider does not announce it', () => {
    const { says, textDone } = responsesEvents()
    expect(run([says('a'), textDone('a'), says('b', 1)]).decisions).toEqual(['pass', 'hold', 'release'])
    expect(run([textDone('a'), says('a')]).decisions).toEqual(['hold', 'hold'])
  })

  test('passes comments until the end, and holds what follows it', () => {
    const { itemAdded, itemDone, ends } = responsesEvents()
    const { decisions, end } = run([null, itemAdded(), itemDone(), null, ends(), null, 'data: [DONE]\n\n'])
    expect(decisions.join(' ')).toBe('pass pass hold pass hold hold hold')
    expect(end.sawDone).toBe(true)
  })

  test('is ending while it holds something', () => {
    const { itemAdded, itemDone, ends } = responsesEvents()
    const gate = RESPONSES_STREAM.begin({ n: 1 })
    const ending = [itemAdded(), itemDone(), itemAdded(1), ends()].map((event) => {
      gate.admit(readEvent(event))
      return gate.isEnding
    })
    expect(ending).toEqual([false, true, false, true])
  })

  test('never delivers the end, nor the last event that completes an item when no other goes on', () => {
    const { itemAdded, says, itemDone, textDone, ends } = responsesEvents()
    const index = fc.nat({ max: 2 })
    const events = fc.oneof(
      index.map((item) => itemAdded(item)),
      index.map((item) => says('x', item)),
      index.map((item) => textDone('x', item)),
      index.map((item) => itemDone(item)),
      fc.constant(null),
      fc.constant(ends()),
    )
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (stream) => {
        const { decisions } = run(stream)
        const delivered: string[] = []
        let held: string[] = []
        for (const [n, event] of stream.entries()) {
          if (event === null) continue
          if (decisions[n] !== 'hold') delivered.push(...(decisions[n] === 'release' ? held.splice(0) : []), event)
          else held = [...held, event]
        }
        expect(delivered.join()).not.toContain('response.completed')
        if (delivered.length === 0) return
        const going = new Set<number>()
        const seen = new Set<number>()
        for (const event of delivered) {
          const { type, item } = readEvent(event)
          if (item === null) continue
          if (type.endsWith('.done')) going.delete(item)
          else if (type.endsWith('.added') || !seen.has(item)) going.add(item)
          seen.add(item)
        }
        expect(going.size).toBeGreaterThan(0)
      }),
    )
  })
})

describe('the usage of a Responses stream', () => {
  const { ends, event, created } = responsesEvents()
  const usageOf = (...events: string[]) => run(events).end.usage

  test('is that of the event which ends it', () => {
    expect(usageOf(created(), ends({}, 'response.incomplete'))).toEqual(used)
    expect(usageOf(ends(), ends({ usage: { input_tokens: 1, output_tokens: 2 } }))).toMatchObject({ tokensIn: 1 })
  })

  test.each([
    ['missing', ends({ usage: null })],
    ['negative', ends({ usage: { input_tokens: -1, output_tokens: 2 } })],
    ['in another event', event('response.in_progress', { response: { usage: { input_tokens: 1, output_tokens: 2 } } })],
    ['beside the answer', event('response.completed', { usage: { input_tokens: 1, output_tokens: 2 } })],
  ])('is unknown if it is %s', (_, end) => {
    expect(usageOf(end)).toBeNull()
  })
})

test.each([
  ['error', { code: 'server_error', message: 'x' }],
  ['response.failed', { response: { error: { message: 'x' } } }],
  ['response.cancelled', {}],
])('%s is an error of the provider', (type, fields) => {
  expect(readEvent(responsesEvents().event(type, fields)).error).toBe(true)
})

test.each(['x', '[]', 'null', '3'])('%s is not an event', (data) => {
  expect(RESPONSES_STREAM.readEvent(Buffer.from(data)).kind).toBe('invalid')
})

test('a stream that failed ends with response.failed, with its own id and the next number', () => {
  const { created, itemAdded } = responsesEvents()
  const { gate } = run([created(), itemAdded()])
  const error = { error: { message: 'It broke.', type: 'api_error', code: 'LLM_GATEWAY_UNAVAILABLE' } }
  const text = gate.failure(error, { callId: 'c', model: 'svc/a' })
  expect(text).toMatch(/^event: response\.failed\ndata: .*\n\n$/)
  expect(JSON.parse(dataOf(text).toString())).toMatchObject({
    type: 'response.failed',
    sequence_number: 2,
    response: {
      id: 'resp_1',
      created_at: 1_767_225_600,
      status: 'failed',
      model: 'svc/a',
      error: { code: 'LLM_GATEWAY_UNAVAILABLE', message: 'It broke.' },
    },
  })
  expect(RESPONSES_STREAM.begin({ n: 1 }).failure(error, { callId: 'c', model: 'svc/a' })).toContain('"id":"resp_c"')
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { answerOf, answers, dataIn, eventsOf } from '../../../test/support/translation/answers.ts'
import { NEXT_REQUESTS } from '../../../test/support/translation/replies.ts'
import type { Answer, AnswerEvent, AnswerPart } from './conversation/answer.ts'
import { Dropped } from './conversation/dropped.ts'
import { TRANSLATED_WIRES, type TranslatedWire } from './conversation/reasoningState.ts'
import { parseExactly } from './fields/jsonTexts.ts'
import { LeftOut } from './fields/leftOut.ts'
import { translateAnswer } from './translateAnswer.ts'
import { translateRequest } from './translateRequest.ts'
import { translateStream } from './translateStream.ts'
import { WIRE_TRANSLATIONS } from './wireTranslations.ts'

const PAIRS = TRANSLATED_WIRES.flatMap((provider) =>
  TRANSLATED_WIRES.filter((caller) => caller !== provider).map((caller) => ({ provider, caller })),
)
const FRAME = { callId: 'c1', model: 'svc/chat-default', createdAt: 1, request: {} }
/** For each pair, so that there are 10,000 in all. */
const runs = propertyRuns({ few: 25, many: 1_700 })

/** A provider's stream of this answer, as the data of its events. */
function provided(wire: TranslatedWire, events: readonly AnswerEvent[]): string[] {
  const writer = WIRE_TRANSLATIONS[wire].createStreamWriter(FRAME)
  // A provider of chat has no opaque field of its own.
  return dataIn(events.flatMap((event) => writer.write(event)).join('')).filter(
    (data) => !data.includes('reasoning_opaque'),
  )
}

function streamed(provider: TranslatedWire, caller: TranslatedWire, data: readonly string[]): string[] {
  const stream = translateStream({ provider, caller }, FRAME)
  const lines = [...data.flatMap((one) => stream.push(one)), ...stream.close()]
  expect(stream.failure).toBeNull()
  return dataIn(lines.join(''))
}

/** The answer that a client of this API understands. */
function understood(wire: TranslatedWire, data: readonly string[]): Answer {
  const reader = WIRE_TRANSLATIONS[wire].createStreamReader(new Dropped())
  const events = data.flatMap((one) => (one === '[DONE]' ? reader.done() : reader.read(JSON.parse(one))))
  return answerOf([...events, ...reader.closed()])
}

/** Without the state of reasoning, whose form is each API's own, and with what chat shows of it as one text. */
function shown({ parts, ...end }: Answer, wires: readonly TranslatedWire[]): unknown {
  const plain = parts.flatMap((part): AnswerPart[] => {
    if (part.type !== 'reasoning') return [part]
    return part.text === '' ? [] : [{ ...part, state: null }]
  })
  if (!wires.includes('chat')) return { ...end, parts: plain }
  const thoughts = plain.filter(({ type }) => type === 'reasoning').map((part) => ('text' in part ? part.text : ''))
  return { ...end, thoughts: thoughts.join('\n\n'), parts: plain.filter(({ type }) => type !== 'reasoning') }
}

const cases = ({ provider, caller }: (typeof PAIRS)[number]) =>
  fc.record({
    answer: answers(provider, caller),
    cuts: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    atOnce: fc.boolean(),
  })

describe.each(PAIRS)('an answer of $provider for a caller of $caller', (pair) => {
  const { provider, caller } = pair
  const wires = [provider, caller]

  test('keeps its meaning, and is the same streamed and whole, however it is cut', () => {
    const property = fc.property(cases(pair), ({ answer, cuts, atOnce }) => {
      const stream = streamed(provider, caller, provided(provider, eventsOf(answer, cuts, atOnce)))
      const translated = translateAnswer(wholeAnswer(provider, answer), pair, FRAME)
      if ('failure' in translated) throw new Error(translated.failure.detail)
      const { readAnswer } = WIRE_TRANSLATIONS[caller]
      const meaning = shown(answer, wires)
      expect(shown(understood(caller, stream), wires)).toEqual(meaning)
      expect(shown(readAnswer(JSON.parse(JSON.stringify(translated.body)), new Dropped()), wires)).toEqual(meaning)
      const back = streamed(caller, provider, stream)
      expect(shown(understood(provider, back), wires)).toEqual(meaning)
    })
    fc.assert(property, { numRuns: runs })
  })

  test('comes back to the provider with the next request as the provider gave it', () => {
    const property = fc.property(answers(provider, caller), (answer) => {
      const given = wholeAnswer(provider, answer)
      const whole = translateAnswer(given, pair, FRAME)
      if ('failure' in whole) throw new Error(whole.failure.detail)
      const next = NEXT_REQUESTS[caller](jsonOf(whole.body) as Record<string, unknown>)
      const request = translateRequest(jsonOf(next), { caller, provider }, { model: 'm', maxTokensDefault: 100 })
      if ('refused' in request) throw new Error(request.refused)
      expect(request.leftOut).toEqual([])
      const { turns } = WIRE_TRANSLATIONS[provider].readRequest(jsonOf(request.body), new LeftOut())
      const own = turns.find(({ role }) => role === 'assistant')?.parts ?? []
      const { parts } = WIRE_TRANSLATIONS[provider].readAnswer(given, new Dropped())
      expect(own.map(({ at: _, ...part }) => part)).toEqual(parts)
    })
    fc.assert(property, { numRuns: runs })
  })
})

/** A provider's answer; a provider of chat has no opaque field of its own. */
function wholeAnswer(wire: TranslatedWire, answer: Answer): unknown {
  const text = JSON.stringify(WIRE_TRANSLATIONS[wire].writeAnswer(answer, FRAME), (name, value: unknown) =>
    name === 'reasoning_opaque' ? undefined : value,
  )
  return parseExactly(text)
}

function jsonOf(value: unknown): unknown {
  return parseExactly(JSON.stringify(value))
}

import fc from 'fast-check'
import type {
  Answer,
  AnswerEvent,
  AnswerPart,
  StopReason,
} from '../../../services/gateway/translation/conversation/answer.ts'
import type {
  ReasoningState,
  TranslatedWire,
} from '../../../services/gateway/translation/conversation/reasoningState.ts'
import { jsonObject, someText } from './conversations.ts'

/** Answers that a provider of one API can give and a caller of another can get. */
export function answers(provider: TranslatedWire, caller: TranslatedWire): fc.Arbitrary<Answer> {
  const isChat = provider === 'chat' || caller === 'chat'
  const text = someText.map((one): AnswerPart => ({ type: 'text', text: one }))
  const refusal = someText.map((one): AnswerPart => ({ type: 'refusal', text: one }))
  const reasoning = fc
    .tuple(someText, stateOf(provider))
    .map(([one, state]): AnswerPart => ({ type: 'reasoning', text: state.isRedacted ? '' : one, state }))
  const call = fc.record({
    type: fc.constant('toolCall' as const),
    id: fc.stringMatching(/^[a-s][a-zA-Z0-9_-]{0,8}$/),
    name: fc.constantFrom('weather', 'search'),
    arguments: jsonObject.map((one) => JSON.stringify(one)),
  })
  const calls = fc.uniqueArray(call, { maxLength: 3, selector: ({ id }) => id })
  const said = [provider, caller].includes('messages') ? text : fc.oneof(text, refusal)
  // Chat has one text before the calls, and a provider of chat one reasoning before everything.
  const thoughts = fc.array(reasoning, { maxLength: provider === 'chat' ? 1 : 2 })
  const ordered = fc
    .tuple(thoughts, fc.array(said, { maxLength: 1 }), calls)
    .map(([before, texts, after]): AnswerPart[] => [...before, ...texts, ...after])
  const anyOrder = fc
    .tuple(fc.array(fc.oneof(said, reasoning), { maxLength: 4 }), calls)
    .chain(([others, some]) => fc.shuffledSubarray([...others, ...some], { minLength: others.length + some.length }))
  const usage = fc.record({
    tokensOut: fc.nat(1_000),
    tokensCached: fc.nat(100),
    tokensCacheWrite: fc.nat(100),
    uncached: fc.nat(1_000),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  return fc
    .tuple(isChat ? ordered : anyOrder, usage, fc.constantFrom<StopReason>('end', 'maxTokens', 'contentFilter'))
    .map(([parts, { uncached, share, ...counts }, stop]) => ({
      parts,
      stop: stop === 'end' && parts.some(({ type }) => type === 'toolCall') ? 'toolCalls' : stop,
      stopSequence: null,
      usage: {
        ...counts,
        tokensIn: uncached + counts.tokensCached + counts.tokensCacheWrite,
        tokensReasoning: Math.floor(counts.tokensOut * share),
      },
      serviceTier: 'standard',
    }))
}

function stateOf(provider: TranslatedWire): fc.Arbitrary<ReasoningState> {
  const signature = fc.stringMatching(/^[A-Za-z0-9+/]{1,16}={0,2}$/)
  if (provider === 'chat') return fc.constant({ origin: 'chat' })
  if (provider === 'responses') {
    return signature.map((one) => ({ origin: 'responses', signature: one }))
  }
  const signed = signature.map((one): ReasoningState => ({ origin: 'messages', signature: one }))
  const redacted = signature.map((one): ReasoningState => ({ origin: 'messages', signature: one, isRedacted: true }))
  return fc.oneof(signed, signed, redacted)
}

/** An answer as events, each part cut where the next number says. Calls that follow each other may come at the same time. */
export function eventsOf(answer: Answer, cuts: readonly number[], atOnce: boolean): AnswerEvent[] {
  const events: AnswerEvent[] = [{ type: 'begins', serviceTier: answer.serviceTier }]
  const { parts, ...end } = answer
  let cut = 0
  const piecesOf = (text: string) => {
    const pieces: string[] = []
    for (let rest = text; rest !== ''; ) {
      const length = 1 + ((cuts[cut++ % cuts.length] ?? 0) % 5)
      pieces.push(rest.slice(0, length))
      rest = rest.slice(length)
    }
    return pieces
  }
  let open: { part: number; pieces: string[] }[] = []
  const close = () => {
    for (; open.some(({ pieces }) => pieces.length > 0); ) {
      for (const { part, pieces } of open) {
        const text = pieces.shift()
        if (text !== undefined) events.push({ type: 'partGrows', part, text })
      }
    }
    for (const { part } of open) events.push({ type: 'partEnds', part, state: null })
    open = []
  }
  for (const [part, content] of parts.entries()) {
    const isCall = content.type === 'toolCall'
    if (!isCall || !atOnce) close()
    if (isCall) {
      events.push({ type: 'partBegins', part, kind: content.type, id: content.id, name: content.name })
      open.push({ part, pieces: piecesOf(content.arguments) })
      continue
    }
    events.push({ type: 'partBegins', part, kind: content.type })
    for (const text of piecesOf(content.text)) events.push({ type: 'partGrows', part, text })
    events.push({ type: 'partEnds', part, state: content.type === 'reasoning' ? content.state : null })
  }
  close()
  return [...events, { type: 'ends', ...end }]
}

/** The answer that the events are. */
export function answerOf(events: readonly AnswerEvent[]): Answer {
  const parts: AnswerPart[] = []
  for (const event of events) {
    if (event.type === 'partBegins') {
      const { kind } = event
      if (kind === 'toolCall') parts[event.part] = { type: kind, id: event.id, name: event.name, arguments: '' }
      else parts[event.part] = kind === 'reasoning' ? { type: kind, text: '', state: null } : { type: kind, text: '' }
    } else if (event.type === 'partGrows') {
      const part = parts[event.part] as AnswerPart
      parts[event.part] =
        part.type === 'toolCall'
          ? { ...part, arguments: part.arguments + event.text }
          : { ...part, text: part.text + event.text }
    } else if (event.type === 'partEnds') {
      const part = parts[event.part] as AnswerPart
      if (part.type === 'reasoning') parts[event.part] = { ...part, state: event.state }
    } else if (event.type === 'ends') {
      const { type: _, ...end } = event
      return { ...end, parts }
    }
  }
  throw new Error('The events have no end')
}

/** The data of the events of a stream, without `[DONE]`. */
export function dataIn(sse: string): string[] {
  return sse.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
}

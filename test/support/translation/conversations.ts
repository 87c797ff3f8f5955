import fc from 'fast-check'
import type {
  Conversation,
  DocumentPart,
  Given,
  ImagePart,
  OutputFormat,
  Part,
  ReasoningSetting,
  TextPart,
  Tool,
  ToolChoice,
  Turn,
} from '../../../services/gateway/translation/conversation/conversation.ts'
import type { TranslatedWire } from '../../../services/gateway/translation/conversation/reasoningState.ts'
import { anyCharacter } from '../cases/anyCharacter.ts'

/** What two APIs can both express. */
export type CommonSubset = readonly [TranslatedWire, TranslatedWire]

const at = 'generated'
const given = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Given<Value>> =>
  value.map((one) => ({ value: one, at }))
export const someText = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }),
  fc.constantFrom('Hello', '__proto__', '[DONE]', 'data: x\n\n', '\\"', 'tg1', '{"a":'),
)
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/)
const base64 = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const url = fc.constantFrom('https://a.example/x', 'https://a.example/data:image/png;base64,')
const KEYS = ['a', 'type', '__proto__', 'constructor', 'x y']
const VALUES = [null, true, 'x', '"\\', -1.5, 9_007_199_254_740_991, [], {}, [{ a: ['}'] }], { type: 'object' }]
/** JSON objects as clients write them, with keys that no code must stumble over. */
export const jsonObject: fc.Arbitrary<object> = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)), { maxLength: 3 })
  .map(Object.fromEntries)

const textPart: fc.Arbitrary<TextPart> = someText.map((text) => ({ type: 'text', text, at }))

export function conversations(wires: CommonSubset): fc.Arbitrary<Conversation> {
  const has = (wire: TranslatedWire) => wires.includes(wire)
  const chat = has('chat')
  const messages = has('messages')
  const tools = fc.uniqueArray(toolOf(), { maxLength: 3, selector: (tool) => tool.name })
  const settings = fc.record(
    {
      toolChoice: given(toolChoice),
      parallelToolCalls: given(fc.boolean()),
      outputFormat: given(format(messages)),
      reasoning: reasoningOf(chat),
      temperature: given(fc.double({ min: 0, max: messages ? 1 : 2, noNaN: true }).map((one) => one + 0)),
      topP: given(fc.constantFrom(0.1, 0.5, 1)),
      serviceTier: given(
        fc.constantFrom('auto', 'standard', ...(messages ? [] : (['flex', 'scale', 'priority', 'fast'] as const))),
      ),
      ...(messages ? {} : { verbosity: given(fc.constantFrom('low', 'medium', 'high')) }),
      ...(has('responses') ? {} : { stop: given(fc.array(someText, { minLength: 1, maxLength: 4 })) }),
    },
    { requiredKeys: [] },
  )
  return fc
    .record({
      turns: turnsOf(wires),
      stream: fc.boolean(),
      tools,
      maxTokens: given(fc.integer({ min: 1, max: 100_000 })),
      settings,
    })
    .map(({ settings: chosen, ...rest }) => ({ ...rest, ...chosen, continuesLastTurn: false }))
}

function toolOf(): fc.Arbitrary<Tool> {
  const schema = jsonObject.map((properties) => ({ type: 'object', properties }))
  return fc.record(
    { name, schema, strict: fc.boolean(), at: fc.constant(at), description: someText },
    { requiredKeys: ['name', 'schema', 'strict', 'at'] },
  )
}

const toolChoice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constantFrom('auto' as const, 'none' as const, 'required' as const).map((mode) => ({ mode })),
  name.map((tool) => ({ mode: 'tool' as const, name: tool })),
)

function format(messages: boolean): fc.Arbitrary<OutputFormat> {
  const schema = jsonObject.map((properties) => ({ type: 'object', properties }))
  if (messages) return schema.map((one) => ({ type: 'schema', name: 'answer', schema: one, strict: true }))
  const named = fc.record(
    { type: fc.constant('schema' as const), name, schema, description: someText, strict: fc.boolean() },
    { requiredKeys: ['type', 'name', 'schema'] },
  )
  return fc.oneof(fc.constant({ type: 'json' as const }), named)
}

function reasoningOf(chat: boolean): fc.Arbitrary<ReasoningSetting> {
  const effort = given(
    fc.constantFrom('low' as const, 'medium' as const, 'high' as const, 'xhigh' as const, 'max' as const),
  )
  const off = given(fc.constant(true as const)).map((isOff) => ({ isOff }))
  const shown = given(fc.constant('summary' as const))
  if (chat)
    return fc.oneof(
      off,
      effort.map((one) => ({ effort: one })),
    )
  return fc.oneof(
    off,
    fc.record({ effort, shows: shown }, { requiredKeys: ['effort'] }),
    shown.map((shows) => ({ shows })),
  )
}

/** A system turn or none, and then turns of user and assistant, of which the last is the user's. */
function turnsOf(wires: CommonSubset): fc.Arbitrary<Turn[]> {
  const first = wires.includes('messages') ? fc.constant('system' as const) : fc.constantFrom('system', 'developer')
  const system = fc
    .tuple(first, fc.array(textPart, { minLength: 1, maxLength: 2 }))
    .map(([role, parts]): Turn => ({ role, parts, at }))
  const exchange = fc.tuple(userParts(wires), assistantParts(wires))
  return fc
    .tuple(fc.option(system), fc.array(exchange, { maxLength: 3 }), userParts(wires))
    .map(([head, exchanges, last]) => {
      const turns: Turn[] = head === null ? [] : [head]
      let results: Part[] = []
      for (const [said, answered] of exchanges) {
        turns.push({ role: 'user', parts: [...results, ...said.parts], at }, { role: 'assistant', parts: answered, at })
        const calls = answered.filter((part) => part.type === 'toolCall')
        results = calls.map(({ id }, n) => ({ ...(last.results[n % last.results.length] as Result), callId: id }))
      }
      turns.push({ role: 'user', parts: [...results, ...last.parts], at })
      return turns
    })
}

type Result = Extract<Part, { type: 'toolResult' }>
type Said = { readonly parts: readonly Part[]; readonly results: readonly Result[] }

function userParts(wires: CommonSubset): fc.Arbitrary<Said> {
  const media = [imageOf(wires), documentOf(wires)] as const
  const content = fc.array(wires.includes('chat') ? textPart : fc.oneof(textPart, ...media), { maxLength: 2 })
  const result = content.map(
    (parts): Result => ({ type: 'toolResult', callId: '', content: parts, isError: false, at }),
  )
  return fc.record({
    parts: fc.array(fc.oneof(textPart, ...media), { minLength: 1, maxLength: 3 }),
    results: fc.array(result, { minLength: 1, maxLength: 2 }),
  })
}

function imageOf(wires: CommonSubset): fc.Arbitrary<ImagePart> {
  const data = base64.map((one) => ({ kind: 'base64' as const, mediaType: 'image/png', data: one }))
  const source = fc.oneof(
    data,
    url.map((one) => ({ kind: 'url' as const, url: one })),
  )
  const members = { type: fc.constant('image' as const), source, at: fc.constant(at) }
  const plain = fc.record(members)
  if (wires.includes('messages')) return plain
  return fc.oneof(plain, fc.record({ ...members, detail: given(fc.constantFrom('low', 'high', 'original')) }))
}

function documentOf(wires: CommonSubset): fc.Arbitrary<DocumentPart> {
  const pdf = base64.map((data) => ({ kind: 'base64' as const, mediaType: 'application/pdf', data }))
  const plain = someText.map((text) => ({ kind: 'text' as const, text }))
  const linked = url.map((one) => ({ kind: 'url' as const, url: one }))
  const own = fc.record({
    type: fc.constant('document' as const),
    source: fc.oneof(pdf, plain),
    name: someText,
    at: fc.constant(at),
  })
  if (wires.includes('chat')) return own
  // Responses has no name for a file that it fetches.
  return fc.oneof(
    own,
    linked.map((source): DocumentPart => ({ type: 'document', source, at })),
  )
}

function assistantParts(wires: CommonSubset): fc.Arbitrary<Part[]> {
  const call = fc.record({
    type: fc.constant('toolCall' as const),
    id: fc.stringMatching(/^[a-s][a-zA-Z0-9_-]{0,8}$/),
    name,
    arguments: jsonObject.map((one) => JSON.stringify(one)),
    at: fc.constant(at),
  })
  const said = wires.includes('messages')
    ? textPart
    : fc.oneof(
        textPart,
        someText.map((text) => ({ type: 'refusal' as const, text, at })),
      )
  if (!wires.includes('chat')) return fc.array(fc.oneof(said, call), { minLength: 1, maxLength: 4 })
  const texts = fc.array(said, { maxLength: 2 })
  return fc
    .tuple(texts, fc.array(call, { maxLength: 3 }))
    .map(([before, calls]): Part[] => [...before, ...calls])
    .filter((parts) => parts.length > 0)
}

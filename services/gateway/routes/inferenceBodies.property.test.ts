import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CHOICES_MAX, PROMPTS_MAX } from '../../../contracts/limits.ts'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { readChatRequest, wrongChatFields } from '../wire/requests/chatRequest.ts'
import { COMPLETION_FIELDS, readCompletionRequest } from '../wire/requests/completionRequest.ts'
import { readEmbeddingRequest } from '../wire/requests/embeddingRequest.ts'
import { type InferenceRequest, READ_FIELDS, type Refused } from '../wire/requests/inferenceRequest.ts'
import { MESSAGES_FIELDS, readMessagesRequest } from '../wire/requests/messagesRequest.ts'
import { RESPONSES_FIELDS, readResponsesRequest } from '../wire/requests/responsesRequest.ts'
import { chatRequest } from './chatCompletions.ts'
import { completionRequest } from './completions.ts'
import { embeddingRequest } from './embeddings.ts'
import { spelledExactly } from './inferenceFields.ts'
import { messagesRequest } from './messages.ts'
import { responsesRequest } from './responses.ts'

/**
 * The schemas of the inference routes document what `wire/` checks. For every body without repeated fields, which
 * JSON.parse cannot show, the schema accepts exactly what the wire accepts.
 */
type Endpoint = {
  readonly read: (body: Buffer) => InferenceRequest | Refused
  readonly schema: z.ZodObject
  readonly names: readonly string[]
  readonly bodies: () => fc.Arbitrary<string>
}

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/chat/completions': { read: readChatRequest, schema: chatRequest, names: READ_FIELDS, bodies: () => body },
  '/completions': {
    read: readCompletionRequest,
    schema: completionRequest,
    names: COMPLETION_FIELDS,
    bodies: () => body,
  },
  '/embeddings': { read: readEmbeddingRequest, schema: embeddingRequest, names: READ_FIELDS, bodies: () => body },
  '/responses': {
    read: readResponsesRequest,
    schema: responsesRequest,
    names: RESPONSES_FIELDS,
    bodies: () => responsesBody,
  },
  '/messages': {
    read: readMessagesRequest,
    schema: messagesRequest,
    names: MESSAGES_FIELDS,
    bodies: () => messagesBody,
  },
}
const BODIES_PER_ENDPOINT = propertyRuns({ few: 500, many: 1_500 })
/**
 * Enough to find any of the differences below, the rarest of which shows in one body of 150. The seed is fixed, because
 * this is a question about the generator, and chance must not answer it.
 */
const UNTIL_FOUND = { numRuns: 2_000, seed: 1 }

/** Values are JSON text, so that numbers come as a client may write them. */
const number = fc.oneof(
  fc.constantFrom('-1', '-0', '0', '0.0', '1', '1.0', '1e0', '10E-1', '0.5', '1.5', '1e300', '1e400', '-1e400'),
  fc.constantFrom(CHOICES_MAX - 1, CHOICES_MAX, CHOICES_MAX + 1).map(String),
  fc.constantFrom(2 ** 53 - 2, 2 ** 53 - 1, 2 ** 53, 1 - 2 ** 53).map(String),
  fc.integer({ min: -2, max: 200 }).map(String),
)
const text = fc.constantFrom('""', '"x"', '"svc/chat-default"', '"1"', '"\\ud800"', '"\\u0000"')
const scalar = fc.oneof(number, text, fc.constantFrom('null', 'true', 'false'))
const listOf = (item: fc.Arbitrary<string>, maxLength = 4) =>
  fc.array(item, { maxLength }).map((items) => `[${items.join(',')}]`)
const token = fc.oneof({ weight: 8, arbitrary: fc.constantFrom('0', '1', '50256') }, { weight: 1, arbitrary: number })
/** Lists of texts and of token lists around the most prompts that one completion may have. */
const manyTexts = fc
  .tuple(fc.constantFrom(PROMPTS_MAX - 1, PROMPTS_MAX, PROMPTS_MAX + 1), fc.constantFrom('"x"', '1', '[1]', '[]'))
  .map(([length, item]) => `[${Array(length).fill(item).join(',')}]`)
const textInput = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 12, arbitrary: listOf(text) },
  { weight: 12, arbitrary: listOf(token) },
  { weight: 12, arbitrary: listOf(listOf(token)) },
  { weight: 6, arbitrary: listOf(fc.oneof(scalar, listOf(token))) },
  { weight: 1, arbitrary: manyTexts },
  { weight: 1, arbitrary: scalar },
)
const objectOf = (fields: fc.Arbitrary<readonly (readonly [string, string])[]>) =>
  fields.map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`)
/** Mostly one of the names, sometimes the same in another case or with letters that fold to it. */
const spelled = (name: string) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant(name) },
    { weight: 1, arbitrary: fc.constantFrom(name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`) },
    { weight: 1, arbitrary: fc.constant(name.replace('s', 'ſ').replace('k', '\u212a')) },
  )
const field = (name: string, value: fc.Arbitrary<string>) => fc.tuple(spelled(name), value)
const unique = (entries: fc.Arbitrary<readonly (readonly [string, string])[]>) =>
  entries.map((all) => [...new Map(all)])
const sometimes = (entry: fc.Arbitrary<readonly [string, string]>, absentWeight = 2) =>
  fc.oneof({ weight: 2, arbitrary: entry.map((one) => [one]) }, { weight: absentWeight, arbitrary: fc.constant([]) })
const joined = (...parts: fc.Arbitrary<readonly (readonly [string, string])[]>[]) =>
  unique(fc.tuple(...parts).map((entries) => entries.flat()))

const mostly = (usual: fc.Arbitrary<string>, other: fc.Arbitrary<string> = scalar) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: fc.oneof(other, fc.constantFrom('[]', '{}')) })
const message = mostly(
  objectOf(
    joined(
      sometimes(field('role', mostly(text)), 0),
      sometimes(field('content', fc.oneof(text, listOf(scalar), fc.constantFrom('null', '{}', '1', 'true')))),
      sometimes(field('name', scalar), 6),
    ),
  ),
)
/** Messages of chat, some of which refer to something stored. */
const chatPart = objectOf(
  joined(
    sometimes(field('type', fc.constantFrom('"file"', '"text"', '"input_audio"'))),
    sometimes(field('file', fc.constantFrom('{"file_id":"x"}', '{"file_id":null}', '{"file_data":"x"}')), 4),
    sometimes(field('file_id', fc.constantFrom('null', '"x"')), 8),
  ),
)
const chatMessage = fc.oneof(
  { weight: 2, arbitrary: message },
  {
    weight: 1,
    arbitrary: objectOf(
      joined(
        sometimes(field('role', text), 0),
        sometimes(field('content', listOf(chatPart, 2))),
        sometimes(field('audio', fc.constantFrom('null', '{"id":"x"}', '{"ID":"x"}', '{"id":null}')), 6),
      ),
    ),
  },
)
const count = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('0', '1', '2', '128', 'null') },
  { weight: 1, arbitrary: number },
)
const streamOptions = mostly(objectOf(joined(sometimes(field('include_usage', scalar)), sometimes(field('x', scalar)))))

const body = objectOf(
  joined(
    sometimes(field('model', mostly(text)), 0),
    sometimes(field('messages', mostly(listOf(chatMessage, 3))), 0),
    sometimes(field('prompt', textInput), 0),
    sometimes(field('input', textInput), 0),
    sometimes(field('n', mostly(count))),
    sometimes(field('best_of', mostly(count))),
    sometimes(field('max_tokens', mostly(count))),
    sometimes(field('max_completion_tokens', mostly(count))),
    sometimes(field('stream', mostly(fc.constantFrom('true', 'false', 'null')))),
    sometimes(field('stream_options', streamOptions)),
    sometimes(field('encoding_format', scalar)),
    sometimes(fc.tuple(fc.constantFrom('temperature', '__proto__', 'constructor', 'toString'), scalar), 8),
  ),
)

/** Mostly absent values of what is refused, and parts that refer to something stored among those that do not. */
const refused = mostly(fc.constantFrom('null', 'false'), fc.constantFrom('true', '"resp_1"', '{"id":"x"}'))
const sharedId = (name: string) => sometimes(field(name, mostly(fc.constantFrom('null', '[]', '{}'), text)), 4)
const part = objectOf(
  joined(
    sometimes(field('type', mostly(fc.constantFrom('"input_text"', '"input_image"', '"item_reference"', '"image"')))),
    sometimes(field('text', text)),
    sharedId('file_id'),
  ),
)
const item = objectOf(
  joined(
    sometimes(field('type', mostly(fc.constantFrom('"message"', '"item_reference"', '"function_call"'))), 1),
    sometimes(field('role', mostly(fc.constantFrom('"user"', '"assistant"'))), 0),
    sometimes(field('content', mostly(fc.oneof(text, listOf(part, 2)))), 1),
    sometimes(field('id', fc.constantFrom('null', '"msg_1"')), 4),
    sharedId('container_id'),
  ),
)
const toolOf = objectOf(
  joined(
    sometimes(field('type', mostly(fc.constantFrom('"function"', '"custom"', '"web_search"', '"bash_20250124"'))), 1),
    sometimes(field('parameters', fc.constantFrom('{"file_id":"x"}', '{"Type":1}'))),
    sometimes(field('container', mostly(fc.constantFrom('null', '{"type":"auto"}', '{"file_ids":["x"]}'))), 6),
  ),
)
const looksInside = [
  sometimes(field('model', mostly(text)), 0),
  sometimes(field('stream', mostly(fc.constantFrom('true', 'false', 'null')))),
  sometimes(field('tools', mostly(listOf(toolOf, 2)))),
  sometimes(field('stream_options', scalar)),
  sometimes(fc.tuple(fc.constantFrom('temperature', '__proto__', 'constructor', 'metadata'), scalar), 8),
]
const responsesBody = objectOf(
  joined(
    ...looksInside,
    sometimes(field('input', mostly(fc.oneof(text, listOf(item, 2)))), 1),
    sometimes(field('max_output_tokens', mostly(count))),
    sometimes(field('background', refused), 4),
    sometimes(field('previous_response_id', refused), 8),
    sometimes(field('prompt', refused), 8),
  ),
)

const messagesBody = objectOf(
  joined(
    ...looksInside,
    sometimes(field('messages', mostly(listOf(item, 2))), 0),
    sometimes(field('system', mostly(fc.oneof(text, listOf(part, 2))))),
    sometimes(field('max_tokens', mostly(count))),
    sometimes(field('container', refused), 8),
    sometimes(field('mcp_servers', mostly(fc.constantFrom('[]', 'null', '[{}]')))),
  ),
)

const agrees = ({ read, bodies }: Pick<Endpoint, 'read' | 'bodies'>, schema: z.ZodType) =>
  fc.property(fc.oneof({ weight: 40, arbitrary: bodies() }, { weight: 1, arbitrary: scalar }), (json) => {
    const refusal = read(Buffer.from(json))
    const isAccepted = schema.safeParse(JSON.parse(json)).success
    expect(isAccepted, 'refused' in refusal ? refusal.refused : 'accepted by the wire').toBe(!('refused' in refusal))
  })

describe.each(Object.entries(ENDPOINTS))('POST %s', (path, endpoint) => {
  test(`the schema accepts exactly what the wire accepts, over ${BODIES_PER_ENDPOINT} bodies`, () => {
    fc.assert(agrees(endpoint, endpoint.schema), { numRuns: BODIES_PER_ENDPOINT })
  })

  test('both verdicts are common among the bodies', () => {
    const accepted = fc.sample(endpoint.bodies(), { numRuns: 1_000, seed: 1 }).filter((json) => {
      return !('refused' in endpoint.read(Buffer.from(json)))
    })
    expect(accepted.length, path).toBeGreaterThan(150)
    expect(accepted.length, path).toBeLessThan(850)
  })
})

describe('the comparison fails for a schema with', () => {
  const bound = z.int().min(1).nullable().optional()
  const content = z
    .union([z.string(), z.array(z.looseObject({}))])
    .nullable()
    .optional()
  const messages = z.array(z.looseObject({ role: z.string(), content })).min(1)
  test.each([
    ['no bound of n', '/chat/completions', { n: bound }],
    ['no bound of best_of', '/completions', { best_of: bound }],
    ['max_tokens of at least 1', '/completions', { max_tokens: bound }],
    ['content only as a list of objects', '/chat/completions', { messages }],
    ['encoding_format as a string', '/embeddings', { encoding_format: z.string().optional() }],
    ['background allowed to be true', '/responses', { background: z.boolean().nullable().optional() }],
    ['no bound of max_output_tokens', '/responses', { max_output_tokens: z.int().nullable().optional() }],
    ['stream allowed to be true', '/embeddings', { stream: z.boolean().nullable().optional() }],
  ])('%s', (_, path, changes) => {
    const endpoint = ENDPOINTS[path] as Endpoint
    const { schema, names } = endpoint
    const changed = spelledExactly(z.looseObject({ ...schema.shape, ...changes }), names)
    expect(fc.check(agrees(endpoint, changed), UNTIL_FOUND).failed).toBe(true)
  })
  test('field names in any case', () => {
    const schema = z.looseObject(chatRequest.shape).refine((fields) => wrongChatFields(fields) === null)
    expect(fc.check(agrees(ENDPOINTS['/chat/completions'] as Endpoint, schema), UNTIL_FOUND).failed).toBe(true)
  })
})

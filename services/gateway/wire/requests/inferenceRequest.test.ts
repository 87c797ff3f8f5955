import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHOICES_MAX } from '../../../../contracts/limits.ts'
import { TOO_DEEP_MESSAGE } from '../../../../platform/http/body/bodyReaders.ts'
import { JSON_DEPTH_MAX } from '../../../../platform/http/body/jsonScan.ts'
import { anyCharacter } from '../../../../test/support/cases/anyCharacter.ts'
import {
  anyMembers,
  type MemberText,
  memberOf,
  objectText,
  spaces,
  stringText,
  valueText,
} from '../../../../test/support/cases/jsonTexts.ts'
import { type InferenceRequest, readInferenceRequest } from './inferenceRequest.ts'

function accepted(text: string): InferenceRequest {
  const request = readInferenceRequest(Buffer.from(text))
  if ('refused' in request) throw new Error(`${request.refused} ${text}`)
  return request
}

const refusal = (body: string | Buffer) => {
  const request = readInferenceRequest(Buffer.from(body))
  return 'refused' in request ? request.refused : 'accepted'
}

const forwarded = (text: string) => accepted(text).forwardedAs('gpt-x').toString()

describe('reading', () => {
  it('takes the defaults for what is absent or null', () => {
    const defaults = { model: 'smart', stream: false, n: 1, maxTokens: null }
    expect(accepted('{"model":"smart"}')).toMatchObject(defaults)
    const nulls = '"stream":null,"stream_options":null,"n":null,"max_tokens":null,"max_completion_tokens":null'
    expect(accepted(`{"model":"smart",${nulls}}`)).toMatchObject(defaults)
  })

  it('unescapes names and values', () => {
    expect(accepted('{"m\\u006fdel":"sm\\u0061rt","n":2,"str\\u0065am":true}')).toMatchObject({
      model: 'smart',
      n: 2,
      stream: true,
    })
  })

  it('takes the larger of the two bounds on tokens, because a provider may obey either', () => {
    expect(accepted('{"model":"a","max_tokens":5}').maxTokens).toBe(5)
    expect(accepted('{"model":"a","max_completion_tokens":1e2}').maxTokens).toBe(100)
    expect(accepted('{"model":"a","max_completion_tokens":7,"max_tokens":5}').maxTokens).toBe(7)
  })

  it('asks the check of the endpoint', () => {
    const body = Buffer.from('{"model":"a","input":3}')
    expect(readInferenceRequest(body, ({ input }) => `'input' is ${input}.`)).toEqual({ refused: "'input' is 3." })
    expect(readInferenceRequest(body, () => null)).toMatchObject({ model: 'a' })
  })
})

describe('what is refused', () => {
  it('refuses a body that is nested too deeply, at whatever size', () => {
    const nested = (levels: number) => `{"model":"a","x":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(refusal(nested(JSON_DEPTH_MAX - 1))).toBe('accepted')
    expect(refusal(nested(JSON_DEPTH_MAX))).toBe(TOO_DEEP_MESSAGE)
    expect(refusal(nested(30_000))).toBe(TOO_DEEP_MESSAGE)
    const inOptions = `{"model":"a","stream_options":{"x":${'['.repeat(200)}${']'.repeat(200)}}}`
    expect(refusal(inOptions)).toBe(TOO_DEEP_MESSAGE)
  })

  it.each([
    ['', 'The body is empty; send a JSON object.'],
    ['{"model": secret}', 'The body is not valid JSON: unexpected character at line 1, column 11.'],
    ['{"model":\n"secret"', 'The body is not valid JSON: it ends too early at line 2, column 9.'],
    ['[{"model":"a"}]', 'The body must be a JSON object.'],
    ['null', 'The body must be a JSON object.'],
    ['"model"', 'The body must be a JSON object.'],
    ['{}', "'model' is missing."],
    ['{"messages":[{"model":"a"}]}', "'model' is missing."],
    ['{"__proto__":{"model":"a"}}', "'model' is missing."],
    ['{"model":null}', "'model' must be a string."],
    ['{"model":["a"]}', "'model' must be a string."],
    ['{"model":"a","stream":"true"}', "'stream' must be a boolean."],
    ['{"model":"a","stream":1}', "'stream' must be a boolean."],
    ['{"model":"a","stream_options":[]}', "'stream_options' must be an object."],
    ['{"model":"a","stream_options":true}', "'stream_options' must be an object."],
    ['{"model":"a","n":0}', "'n' must be a positive integer."],
    ['{"model":"a","n":1.5}', "'n' must be a positive integer."],
    ['{"model":"a","n":"1"}', "'n' must be a positive integer."],
    [`{"model":"a","n":${CHOICES_MAX + 1}}`, `'n' must be at most ${CHOICES_MAX}.`],
    ['{"model":"a","max_tokens":-1}', "'max_tokens' must be a positive integer."],
    ['{"model":"a","max_tokens":1e400}', "'max_tokens' must be a positive integer."],
    ['{"model":"a","max_completion_tokens":true}', "'max_completion_tokens' must be a positive integer."],
  ])('%s', (body, message) => {
    expect(refusal(body)).toBe(message)
  })

  it('bytes that are not UTF-8', () => {
    const body = Buffer.from('{"model":"a","user":"xx"}')
    body[body.indexOf('xx')] = 0xc3
    expect(refusal(body)).toBe('The body is not valid UTF-8.')
  })

  const fields = [
    ['model', '"a"'],
    ['stream', 'true'],
    ['stream_options', '{}'],
    ['n', '1'],
    ['max_tokens', '1'],
    ['max_completion_tokens', '1'],
  ] as const

  it.each(fields)('%s twice, in any spelling and order', (field, value) => {
    const rest = field === 'model' ? fc.constant('') : fc.constant('"model":"a",')
    fc.assert(
      fc.property(rest, stringText(field), stringText(field), fc.boolean(), (model, first, second, apart) => {
        const between = apart ? ',"other":{"model":"b"},' : ','
        const body = `{${model}${first}:${value}${between}${second}:${value}}`
        expect(refusal(body)).toBe(`'${field}' occurs more than once; send it once.`)
      }),
    )
  })

  it('include_usage twice, also where the call is not streamed', () => {
    const options = '{"include_usage":true,"x":1,"include\\u005fusage":false}'
    const message = "'stream_options.include_usage' occurs more than once; send it once."
    expect(refusal(`{"model":"a","stream":true,"stream_options":${options}}`)).toBe(message)
    expect(refusal(`{"stream_options":${options},"model":"a"}`)).toBe(message)
  })

  it('a field in another letter case, which some parsers accept', () => {
    expect(refusal('{"model":"a","Model":"b"}')).toBe("'model' is written in another case; write it exactly so.")
    expect(refusal('{"model":"a","ſtream":true}')).toBe("'stream' is written in another case; write it exactly so.")
    expect(refusal('{"model":"a","max_to\u212aens":9}')).toMatch("'max_tokens'")
    expect(refusal('{"model":"a","stream_options":{"INCLUDE_usage":false}}')).toMatch("'stream_options.include_usage'")
  })

  it('other repeated fields are accepted', () => {
    expect(refusal('{"model":"a","user":"x","user":"y","tools":[{"model":"b"},{"model":"c"}]}')).toBe('accepted')
  })
})

describe('what is forwarded', () => {
  it.each([
    ['{"model":"a"}', '{"model":"gpt-x"}'],
    ['{"model":"a","stream":false,"stream_options":null}', '{"model":"gpt-x","stream":false,"stream_options":null}'],
    [
      ' {"stream" : true ,"model":"a" }\n',
      ' {"stream" : true ,"model":"gpt-x" ,"stream_options":{"include_usage":true}}\n',
    ],
    [
      '{"stream_options":null,"stream":true,"model":"a"}',
      '{"stream_options":{"include_usage":true},"stream":true,"model":"gpt-x"}',
    ],
    [
      '{"model":"a","stream":true,"stream_options": { }}',
      '{"model":"gpt-x","stream":true,"stream_options": {"include_usage":true }}',
    ],
    [
      '{"model":"a","stream":true,"stream_options":{ "x":1e0}}',
      '{"model":"gpt-x","stream":true,"stream_options":{"include_usage":true, "x":1e0}}',
    ],
    [
      '{"stream_options":{"x":1,"include\\u005fusage" : "no"},"stream":true,"model":"a"}',
      '{"stream_options":{"x":1,"include\\u005fusage" : true},"stream":true,"model":"gpt-x"}',
    ],
  ])('%s', (body, expected) => {
    expect(forwarded(body)).toBe(expected)
  })

  it('escapes the name of the model', () => {
    expect(accepted('{"model":"a"}').forwardedAs('x"\\é').toString()).toBe('{"model":"x\\"\\\\é"}')
  })

  it('can be asked again for another provider, and leaves the body as it was', () => {
    const body = Buffer.from('{"model":"a"}')
    const request = readInferenceRequest(body) as InferenceRequest
    expect(request.forwardedAs('first').toString()).toBe('{"model":"first"}')
    expect(request.forwardedAs('second').toString()).toBe('{"model":"second"}')
    expect(body.toString()).toBe('{"model":"a"}')
  })

  it('differs from any body only by the two edits', () => {
    fc.assert(
      fc.property(bodies, ({ before, members, after, stream }) => {
        const text = before + objectText(members) + after
        const expected = members.map(stream ? asStreamed : asForwarded)
        const added =
          stream && !members.some(isNamed('stream_options')) ? ',"stream_options":{"include_usage":true}' : ''
        expect(forwarded(text)).toBe(`${before}${objectText(expected).slice(0, -1)}${added}}${after}`)
      }),
      { numRuns: 500 },
    )
  })
})

const isNamed = (name: string) => (member: MemberText) => JSON.parse(member.key) === name

function asForwarded(member: MemberText): MemberText {
  return isNamed('model')(member) ? { ...member, value: '"gpt-x"' } : member
}

/** The options of the generated bodies carry a marker where the edit belongs, so that nothing has to be parsed here. */
function asStreamed(member: MemberText): MemberText {
  if (!isNamed('stream_options')(member)) return asForwarded(member)
  if (member.value === 'null') return { ...member, value: '{"include_usage":true}' }
  if (member.value.includes('"MARKER"')) return { ...member, value: member.value.replace('"MARKER"', 'true') }
  const isEmpty = member.value.slice(1, -1).trim() === ''
  return { ...member, value: `{"include_usage":true${isEmpty ? '' : ','}${member.value.slice(1)}` }
}

const READ = ['model', 'stream', 'stream_options', 'n', 'max_tokens', 'max_completion_tokens', 'include_usage']
const unread = anyMembers.map((members) => members.filter(({ key }) => !READ.includes(JSON.parse(key).toLowerCase())))

const optionsText = fc.oneof(
  fc.constant('null'),
  spaces.map((space) => `{${space}}`),
  unread.map((members) => objectText(members)),
  fc
    .tuple(unread, memberOf(stringText('include_usage'), fc.constant('"MARKER"')), fc.nat())
    .map(([members, usage, at]) => objectText(members.toSpliced(at % (members.length + 1), 0, usage))),
)

const bodies = fc
  .record({
    before: spaces,
    after: spaces,
    unknown: unread,
    model: memberOf(stringText('model'), fc.string({ unit: anyCharacter, maxLength: 8 }).chain(stringText)),
    stream: fc.option(fc.tuple(fc.boolean(), memberOf(stringText('stream'), fc.constant('null')))),
    options: fc.option(memberOf(stringText('stream_options'), optionsText)),
    n: fc.option(memberOf(stringText('n'), fc.constantFrom('1', '2.0', '1e1', 'null'))),
    extra: fc.option(memberOf(fc.constant('"messages"'), valueText)),
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ before, after, unknown, model, stream, options, n, extra, order }) => {
    const streamed = stream?.[0] === true
    const streamMember = stream && { ...stream[1], value: streamed ? 'true' : 'false' }
    const members = [...unknown]
    for (const member of [model, streamMember, options, n, extra]) {
      if (member) members.splice((order.next().value ?? 0) % (members.length + 1), 0, member)
    }
    return { before, after, members, stream: streamed }
  })

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Redaction } from '../../../../capabilities/redaction/redaction.ts'
import {
  anyMembers,
  memberOf,
  objectText,
  spaces,
  stringText,
  valueText,
} from '../../../../test/support/cases/jsonTexts.ts'
import { createSseSplitter, type SseEvent } from '../streams/sseEvents.ts'
import { type Disguise, disguiseOf, withModelAlias, withStreamModelAlias } from './answerModel.ts'

const members = fc
  .tuple(anyMembers, fc.array(memberOf(stringText('model'), valueText), { maxLength: 2 }), fc.nat())
  .map(([others, models, at]) => others.toSpliced(at % (others.length + 1), 0, ...models))

const table = {
  'svc/chat-default': {
    maxOutputTokens: 1,
    providers: [
      { name: 'Vendor', model: 'vendor/gpt-x', baseUrl: 'https://api.vendor.example/v1', apiKey: 'the-vendor-key' },
    ],
  },
}
const redaction = new Redaction({ secrets: [], tables: [table as never] })
const as = (alias: string): Disguise => disguiseOf(alias, redaction)
const SMART = as('smart')

const isModel = ({ key }: { key: string }) => JSON.parse(key).toLowerCase() === 'model'

function eventOf(raw: string): SseEvent {
  const [event] = createSseSplitter({ eventBytesMax: 1_000_000 }).push(Buffer.from(raw))
  if (event === undefined) throw new Error('No event')
  return event
}

describe('withModelAlias', () => {
  it('renames the model and keeps every other byte', () => {
    const answer = '{ "id":1e400, "model" : "gpt-x" ,"choices":[{"model":"another"}]}\n'
    expect(withModelAlias(Buffer.from(answer), as('smart "1"')).toString()).toBe(
      '{ "id":1e400, "model" : "smart \\"1\\"" ,"choices":[{"model":"another"}]}\n',
    )
  })

  it('returns an answer without a model as it is', () => {
    for (const text of ['{"data":[{"model":"x"}]}', '{"a":{"model":"gpt-xy"}}', '[]', '"model"', '{}']) {
      const answer = Buffer.from(text)
      expect(withModelAlias(answer, SMART)).toBe(answer)
    }
  })

  it.each([
    [
      'beside the usage',
      '{"usage":{"prompt_tokens":1,"model":"gpt-x"}}',
      '{"usage":{"prompt_tokens":1,"model":"smart"}}',
    ],
    [
      'of a choice',
      '{"choices":[{"message":{"model":"vendor/gpt-x"}}]}',
      '{"choices":[{"message":{"model":"smart"}}]}',
    ],
    ['of an embedding', '{"data":[{"embedding":[1],"model":"GPT-X"}]}', '{"data":[{"embedding":[1],"model":"smart"}]}'],
    ['in an escaped key', '{"a":{"m\\u006fdel":"gpt-x"}}', '{"a":{"m\\u006fdel":"smart"}}'],
    ['with a date', '{"a":[{"model" : "gpt-x-2026-01-01"}]}', '{"a":[{"model" : "smart"}]}'],
    ['as it is reported', '{"a":{"model":"other-1"},"model":"other-1"}', '{"a":{"model":"smart"},"model":"smart"}'],
    ['in another case', '{"Model":"gpt-x","a":{"MODEL":"gpt-x"}}', '{"Model":"smart","a":{"MODEL":"smart"}}'],
    ['as an object', '{"a":{"model":{"id":"gpt-x"}}}', '{"a":{"model":"smart"}}'],
  ])('renames a nested model %s', (_, answer, expected) => {
    expect(withModelAlias(Buffer.from(answer), SMART).toString()).toBe(expected)
  })

  it('edits no content, whatever it holds', () => {
    const said = '"model gpt-x by Vendor, Bearer the-vendor-key, {\\"model\\":\\"gpt-x\\"}"'
    for (const answer of [
      `{"choices":[{"message":{"content":${said},"refusal":${said}},"text":${said}}]}`,
      `{"choices":[{"message":{"content":[{"type":"text","model":"gpt-x","error":"Vendor"}]}}]}`,
      `{"choices":[{"message":{"tool_calls":[{"function":{"name":"gpt-x","arguments":{"model":"gpt-x"}}}]}}]}`,
      `{"choices":[{"logprobs":{"content":[{"token":"gpt-x","model":"gpt-x"}]}}],"id":"gpt-x"}`,
    ]) {
      expect(withModelAlias(Buffer.from(answer), SMART).toString()).toBe(answer)
    }
  })

  it('redacts a nested error, and only what has to be redacted', () => {
    const answer = (message: string) =>
      `{"choices":[{"error":{"code":502,"message":${message},"metadata":{"raw":"kept"}},"finish_reason":"error"}]}`
    const sent = answer('"gpt-x of Vendor: Bearer abc is invalid, so is the-vendor-key\\u0021"')
    const got = withModelAlias(Buffer.from(sent), SMART).toString()
    expect(got).toBe(answer('"the model of the provider: *** is invalid, so is ***!"'))
    for (const clean of ['"too much"', '"too\\u0020much"', 'null']) {
      const same = Buffer.from(answer(clean))
      expect(withModelAlias(same, SMART)).toBe(same)
    }
  })

  it.each([
    ['of the answer', '{"id":1, "provider": "DeepHost" , "created":2}', '{"id":1, "created":2}'],
    ['at the beginning', '{"provider":"DeepHost","id":1}', '{"id":1}'],
    ['at the end', '{"id":1 , "system_fingerprint":"fp_1" }', '{"id":1  }'],
    ['alone', '{ "provider":{"name":"DeepHost"} }', '{  }'],
    [
      'side by side',
      '{"provider":"a","system_fingerprint":"b","id":1,"org_id":"org-1","x_groq":{"id":[]}}',
      '{"id":1}',
    ],
    ['around a model', '{"provider":"a","model":"gpt-x","billing":{"payer":"vendor"}}', '{"model":"smart"}'],
    ['in another case', '{"Provider":"a","id":1,"pr\\u006fvider":"b"}', '{"id":1}'],
    [
      'of a choice',
      '{"choices":[{"index":0,"provider":"a"},{"system_fingerprint":null}]}',
      '{"choices":[{"index":0},{}]}',
    ],
    [
      'of the usage',
      '{"usage":{"prompt_tokens":1,"cost":0.1,"cost_details":{"upstream_inference_cost":0.1},"is_byok":true}}',
      '{"usage":{"prompt_tokens":1}}',
    ],
    ['of the answer and not of its usage', '{"cost":1,"id":1,"cost_details":{"a":1}}', '{"id":1}'],
    [
      'of the usage, named otherwise',
      '{"usage":{"Estimated_Cost":1,"details":{"cost_in_usd_ticks":5,"a":1},"completion_tokens":2}}',
      '{"usage":{"details":{"a":1},"completion_tokens":2}}',
    ],
    [
      'of a host in front of the provider',
      '{"response_cost":1,"provider_name":"a","amazon-bedrock-invocationMetrics":{"inputTokenCount":1},"id":1,"organization_id":"o","amazon-bedrock-guardrailAction":"NONE"}',
      '{"id":1}',
    ],
    [
      'of the answer in an event',
      '{"type":"message_start","message":{"id":"m","provider":"a","usage":{"input_tokens":1,"cost":2}}}',
      '{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1}}}',
    ],
    [
      'after the answer in an event',
      '{"response":{"organization":"org-1"},"sequence_number":1,"provider":"a"}',
      '{"response":{},"sequence_number":1}',
    ],
  ])('drops members that name the provider or its price: %s', (_, answer, expected) => {
    const disguised = withModelAlias(Buffer.from(answer), SMART).toString()
    expect(disguised).toBe(expected)
    expect(() => JSON.parse(disguised)).not.toThrow()
  })

  it('keeps members of these names where they are the words of the caller or of the model', () => {
    for (const answer of [
      '{"metadata":{"provider":"ours","cost":1,"organization":"org-1"},"user":"org-1"}',
      '{"metadata":{"usage":{"cost":1,"estimated_cost":1}}}',
      '{"type":"response.completed","response":{"metadata":{"provider":"ours"},"output":[{"provider":"x"}]}}',
      '{"choices":[{"message":{"content":"{\\"provider\\":1}","tool_calls":[{"function":{"provider":"x","cost":1}}]}}]}',
      '{"choices":[{"delta":{"provider":"x"}}]}',
      '{"type":"response.output_item.done","item":{"type":"x","action":{"provider":"x","cost":1}}}',
      '{"content":[{"type":"tool_use","input":{"provider":"x","usage":{"cost":1}}}]}',
    ]) {
      expect(withModelAlias(Buffer.from(answer), SMART).toString()).toBe(answer)
    }
  })

  it('drops the provider and the account from an error', () => {
    const answer = (error: object) => JSON.stringify({ choices: [{ error }] })
    const metadata = { provider_name: 'DeepHost', raw: 'in organization org-aBc123 of proj_9x8y7z6' }
    const got = withModelAlias(Buffer.from(answer({ code: 502, metadata, organization: 'org-aBc123' })), SMART)
    expect(got.toString()).toBe(answer({ code: 502, metadata: { raw: 'in organization *** of ***' } }))
    const account = withModelAlias(Buffer.from(answer({ code: 502, org_id: 'us' })), SMART)
    expect(account.toString()).toBe(answer({ code: 502 }))
  })

  it('gives JSON with the same other members, whichever are dropped', () => {
    const names = ['a', 'b', 'provider', 'system_fingerprint', 'usage', 'model', 'cost', 'Org_Id']
    const dropped = new Set(['provider', 'system_fingerprint', 'cost', 'Org_Id'])
    const values = fc.constantFrom('1', '"x"', '{"c":1}', '{"cost":1}', '[]')
    const any = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), values, spaces, spaces), {
      selector: ([name]) => name,
    })
    fc.assert(
      fc.property(any, (members) => {
        const text = members.map(
          ([name, value, before, after]) => `${before}"${name}"${after}:${before}${value}${after}`,
        )
        const got = JSON.parse(withModelAlias(Buffer.from(`{${text.join(',')}}`), SMART).toString())
        const shown = (name: string, value: string) =>
          name === 'model' ? 'smart' : name === 'usage' && value.includes('cost') ? {} : JSON.parse(value)
        const kept = members.filter(([name]) => !dropped.has(name))
        expect(Object.entries(got)).toEqual(kept.map(([name, value]) => [name, shown(name, value)]))
      }),
    )
  })

  it('takes time in proportion to the answer, however many members there are', () => {
    const nested = (members: number) => Buffer.from(`{"data":[${'{"model":"m","error":"e"},'.repeat(members)}{}]}`)
    const renamed = withModelAlias(nested(200_000), SMART).toString()
    expect(renamed.match(/"smart"/g)).toHaveLength(200_000 - 1_000)
    expect(renamed.match(/"error":"e"/g)).toHaveLength(100)
  })

  it('renames every model at the top, in any spelling, and nothing else of any answer', () => {
    fc.assert(
      fc.property(spaces, members, spaces, (before, all, after) => {
        const renamed = all.map((member) => (isModel(member) ? { ...member, value: '"smart"' } : member))
        const answer = Buffer.from(before + objectText(all) + after)
        expect(withModelAlias(answer, SMART).toString()).toBe(before + objectText(renamed) + after)
      }),
    )
  })
})

describe('withStreamModelAlias', () => {
  it('renames the model in the only data line', () => {
    const event = eventOf(': hi\r\nid: "model"\r\ndata: {"model":"gpt-x","n":1.0}\r\n\r\n')
    expect(withStreamModelAlias(event, SMART).toString()).toBe(
      ': hi\r\nid: "model"\r\ndata: {"model":"smart","n":1.0}\r\n\r\n',
    )
  })

  it('renames it where the payload runs over several lines', () => {
    const event = eventOf('data:{\nid: 7\ndata: "a":1,\rdata:  "model":\r\ndata: "gpt-x"\ndata:}\n\n')
    expect(withStreamModelAlias(event, SMART).toString()).toBe(
      'data:{\nid: 7\ndata: "a":1,\rdata:  "model":\r\ndata: "smart"\ndata:}\n\n',
    )
  })

  it('drops a member whose payload runs over several lines', () => {
    const event = eventOf('data:{"a":1,\ndata: "provider":\ndata:"x"\ndata:,"model":"gpt-x"\ndata:,"cost":1}\n\n')
    const edited = withStreamModelAlias(event, SMART).toString()
    expect(JSON.parse(eventOf(edited).data?.toString() ?? '')).toEqual({ a: 1, model: 'smart' })
  })

  it('redacts comments, names, ids and unknown fields, and keeps their line ends', () => {
    const raw =
      ': Vendor is busy\r\nevent: gpt-x\nid: 7-gpt-x\rgpt-x: unknown\ndata: {"model":"gpt-x"}\n:ok\n:sk-12345678\n\n'
    expect(withStreamModelAlias(eventOf(raw), SMART).toString()).toBe(
      ': the provider is busy\r\nevent: the model\nid: 7-the model\rthe model: unknown\ndata: {"model":"smart"}\n:ok\n:***\n\n',
    )
  })

  it('never edits the names of fields', () => {
    const words = { ...table['svc/chat-default'].providers[0], name: 'data', model: 'event' }
    const tables = [{ 'svc/chat-default': { maxOutputTokens: 1, providers: [words] } } as never]
    const event = eventOf('event: event\nid: 1\ndata: {"a":1}\nretry: 5\n\n')
    const disguise = disguiseOf('smart', new Redaction({ secrets: [], tables }))
    expect(withStreamModelAlias(event, disguise).toString()).toBe(
      'event: the model\nid: 1\ndata: {"a":1}\nretry: 5\n\n',
    )
  })

  it('drops comments and ids that are too long or too many, and keeps the data', () => {
    for (const lines of [`: ${'gpt-x '.repeat(4_000)}\n`, ': gpt-x\n'.repeat(500), `id: ${'x'.repeat(20_000)}\n`]) {
      expect(withStreamModelAlias(eventOf(`${lines}\n`), SMART).toString()).toBe(':\n\n')
      const event = eventOf(`data: {"model":\n${lines}data:"gpt-x","error":[\ndata: "Vendor",\n${lines}data:1]}\n\n`)
      expect(withStreamModelAlias(event, SMART).toString()).toBe(
        'data: {"model":\ndata: "smart","error":["the provider",1]}\n\n',
      )
    }
  })

  it('returns comments, [DONE] and chunks without a model as they are', () => {
    for (const raw of [': keep-alive\n\n', 'data: [DONE]\n\n', 'data: {"usage":{"model":1}}\n\n', 'data\n\n']) {
      const event = eventOf(raw)
      expect(withStreamModelAlias(event, SMART)).toBe(event.raw)
    }
  })

  it('gives the payload that withModelAlias gives, for any payload on any lines', () => {
    fc.assert(
      fc.property(members, fc.constantFrom('\n', '\r', '\r\n'), fc.constantFrom('', ' '), (all, lineEnd, space) => {
        const payload = objectText(all)
        const raw = payload
          .split(/\r\n|\r|\n/)
          .map((line) => `data:${line.startsWith(' ') ? ' ' : space}${line}${lineEnd}`)
          .join('')
        // The blank line's own LF, so that a lone CR before it does not have to wait for the next event.
        const event = eventOf(`${raw}${lineEnd === '\r' ? '\r: x\n\n' : lineEnd}`)
        const renamed = withStreamModelAlias(event, SMART).toString()
        const expected = withModelAlias(event.data ?? Buffer.alloc(0), SMART).toString()
        expect(JSON.parse(expected)).toBeDefined()
        expect(eventOf(`${renamed}\n\n`).data?.toString()).toBe(expected)
      }),
    )
  })

  it('never throws on a payload that is not JSON', () => {
    const bits = fc.constantFrom('{', '}', '"', ':', ',', '"model"', '\ndata:', '\ndata: ', '\\', ' ', '1')
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 20 }), (deps) => {
        withStreamModelAlias(eventOf(`data:{"model"${deps.join('')}\n\n`), SMART)
      }),
      { numRuns: 1000 },
    )
  })
})

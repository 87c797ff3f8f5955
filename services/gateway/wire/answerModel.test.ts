import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyMembers, memberOf, objectText, spaces, stringText, valueText } from '../../../test/support/jsonTexts.ts'
import { withModelAlias, withStreamModelAlias } from './answerModel.ts'
import { createSseSplitter, type SseEvent } from './sseEvents.ts'

const members = fc
  .tuple(anyMembers, fc.array(memberOf(stringText('model'), valueText), { maxLength: 2 }), fc.nat())
  .map(([others, models, at]) => others.toSpliced(at % (others.length + 1), 0, ...models))

const isModel = ({ key }: { key: string }) => JSON.parse(key) === 'model'

function eventOf(raw: string): SseEvent {
  const [event] = createSseSplitter({ eventBytesMax: 1_000_000 }).push(Buffer.from(raw))
  if (event === undefined) throw new Error('No event')
  return event
}

describe('withModelAlias', () => {
  it('renames the model and keeps every other byte', () => {
    const answer = '{ "id":1e400, "model" : "gpt-x" ,"choices":[{"model":"gpt-x"}]}\n'
    expect(withModelAlias(Buffer.from(answer), 'smart "1"').toString()).toBe(
      '{ "id":1e400, "model" : "smart \\"1\\"" ,"choices":[{"model":"gpt-x"}]}\n',
    )
  })

  it('returns an answer without a model as it is', () => {
    for (const text of ['{"data":[{"model":"x"}]}', '[]', '"model"', '{}']) {
      const answer = Buffer.from(text)
      expect(withModelAlias(answer, 'smart')).toBe(answer)
    }
  })

  it('renames every model at the top, in any spelling, and nothing else of any answer', () => {
    fc.assert(
      fc.property(spaces, members, spaces, (before, all, after) => {
        const renamed = all.map((member) => (isModel(member) ? { ...member, value: '"smart"' } : member))
        const answer = Buffer.from(before + objectText(all) + after)
        expect(withModelAlias(answer, 'smart').toString()).toBe(before + objectText(renamed) + after)
      }),
    )
  })
})

describe('withStreamModelAlias', () => {
  it('renames the model in the only data line', () => {
    const event = eventOf(': hi\r\nid: "model"\r\ndata: {"model":"gpt-x","n":1.0}\r\n\r\n')
    expect(withStreamModelAlias(event, 'smart').toString()).toBe(
      ': hi\r\nid: "model"\r\ndata: {"model":"smart","n":1.0}\r\n\r\n',
    )
  })

  it('renames it where the payload runs over several lines', () => {
    const event = eventOf('data:{\nid: 7\ndata: "a":1,\rdata:  "model":\r\ndata: "gpt-x"\ndata:}\n\n')
    expect(withStreamModelAlias(event, 'smart').toString()).toBe(
      'data:{\nid: 7\ndata: "a":1,\rdata:  "model":\r\ndata: "smart"\ndata:}\n\n',
    )
  })

  it('returns comments, [DONE] and chunks without a model as they are', () => {
    for (const raw of [': keep-alive\n\n', 'data: [DONE]\n\n', 'data: {"usage":{"model":1}}\n\n', 'data\n\n']) {
      const event = eventOf(raw)
      expect(withStreamModelAlias(event, 'smart')).toBe(event.raw)
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
        const renamed = withStreamModelAlias(event, 'smart').toString()
        const expected = withModelAlias(event.data ?? Buffer.alloc(0), 'smart').toString()
        expect(JSON.parse(expected)).toBeDefined()
        expect(eventOf(`${renamed}\n\n`).data?.toString()).toBe(expected)
      }),
    )
  })

  it('never throws on a payload that is no JSON', () => {
    const bits = fc.constantFrom('{', '}', '"', ':', ',', '"model"', '\ndata:', '\ndata: ', '\\', ' ', '1')
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 20 }), (deps) => {
        withStreamModelAlias(eventOf(`data:{"model"${deps.join('')}\n\n`), 'smart')
      }),
      { numRuns: 1000 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseSplitter, SseEventTooLargeError } from './sseEvents.ts'

type Seen = { raw: string; data: string | null }

function split(chunks: readonly Uint8Array[], eventBytesMax = 1_000_000): { events: Seen[]; rest: string } {
  const splitter = createSseSplitter({ eventBytesMax })
  const pushed = chunks.flatMap((chunk) => splitter.push(chunk))
  const { events, rest } = splitter.end()
  const seen = [...pushed, ...events].map(({ raw, data }) => ({
    raw: raw.toString('latin1'),
    data: data?.toString('latin1') ?? null,
  }))
  return { events: seen, rest: rest.toString('latin1') }
}

const splitText = (...chunks: string[]) => split(chunks.map((chunk) => Buffer.from(chunk)))
const dataOf = (text: string) => splitText(text).events.map(({ data }) => data)

/** A slow reference implementation that follows the specification literally on the whole stream. */
function reference(stream: Buffer): { events: Seen[]; rest: string } {
  const text = stream.toString('latin1')
  const events: Seen[] = []
  let raw = ''
  let data: string[] = []
  let read = 0
  for (const [whole, line = ''] of text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r)/g)) {
    read += whole.length
    raw += whole
    if (line === '') {
      events.push({ raw, data: data.length === 0 ? null : data.join('\n') })
      raw = ''
      data = []
      continue
    }
    const field = /^([^:]*):? ?(.*)$/s.exec(read === whole.length ? line.replace(/^\xef\xbb\xbf/, '') : line)
    if (field?.[1] === 'data') data.push(field[2] ?? '')
  }
  return { events, rest: raw + text.slice(read) }
}

/** Blank lines in a row are one event or several, depending on the cuts. */
function withBlankLinesJoined({ events, rest }: { events: Seen[]; rest: string }) {
  const joined: Seen[] = []
  let wasBlank = false
  for (const event of events) {
    const last = joined.at(-1)
    const isBlank = /^[\r\n]*$/.test(event.raw)
    if (last && isBlank && wasBlank) last.raw += event.raw
    else joined.push({ ...event })
    wasBlank = isBlank
  }
  return { events: joined, rest }
}

function cut(stream: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (stream.length + 1)))].sort((a, b) => a - b)
  return [0, ...sorted].map((start, at) => stream.subarray(start, sorted[at] ?? stream.length))
}

describe('createSseSplitter', () => {
  it('ends an event at a blank line, whichever line ends it is made of', () => {
    for (const [first, second] of [
      ['\n', '\n'],
      ['\r\n', '\r\n'],
      ['\r', '\r'],
      ['\n', '\r\n'],
      ['\r\n', '\n'],
      ['\r', '\r\n'],
      ['\n', '\r'],
    ]) {
      expect(splitText(`data: a${first}${second}data: b${first}${second}`)).toEqual({
        events: [
          { raw: `data: a${first}${second}`, data: 'a' },
          { raw: `data: b${first}${second}`, data: 'b' },
        ],
        rest: '',
      })
    }
  })

  it('reads the data as the specification says', () => {
    expect(dataOf('data: a\ndata:b\ndata:  c\ndata\nid: 1\n\n')).toEqual(['a\nb\n c\n'])
    expect(dataOf('data\n\ndata:\n\ndata: \n\n')).toEqual(['', '', ''])
    expect(dataOf(': keep-alive\n\nevent: ping\n\ndatabase: x\n\n data: x\n\n\n')).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    expect(dataOf('\ufeffdata: a\n\n\ufeffdata: b\n\n')).toEqual(['a', null])
  })

  it('keeps what was cut as the rest', () => {
    expect(splitText('data: a\n\ndata: {"b', '":1}\n')).toEqual({
      events: [{ raw: 'data: a\n\n', data: 'a' }],
      rest: 'data: {"b":1}\n',
    })
    expect(splitText()).toEqual({ events: [], rest: '' })
  })

  it('tells an event as soon as its last byte is there', () => {
    const splitter = createSseSplitter({ eventBytesMax: 100 })
    expect(splitter.push(Buffer.from('data: a\r\n\r'))).toHaveLength(0)
    expect(splitter.push(Buffer.from('\n'))).toHaveLength(1)
    expect(splitter.push(Buffer.from('data: b\n'))).toHaveLength(0)
    expect(splitter.push(Buffer.from('\n'))).toHaveLength(1)
  })

  it('does not copy events that arrive whole', () => {
    // Not from Buffer's pool, whose memory a copy might share.
    const chunk = Buffer.alloc(30, 'data: {"a":1}\n\ndata: {"b":2}\n\n')
    for (const { raw, data } of createSseSplitter({ eventBytesMax: 100 }).push(chunk)) {
      expect(raw.buffer).toBe(chunk.buffer)
      expect(data?.buffer).toBe(chunk.buffer)
      expect(raw.byteOffset + 6).toBe(data?.byteOffset)
    }
  })

  it('takes plain byte arrays, also views into larger ones', () => {
    const larger = new Uint8Array(Buffer.from('xxdata: a\n\nyy'))
    expect(split([larger.subarray(2, 11)]).events).toEqual([{ raw: 'data: a\n\n', data: 'a' }])
  })

  it('does not change an event that it gave before', () => {
    const splitter = createSseSplitter({ eventBytesMax: 100 })
    splitter.push(Buffer.from('data: fir'))
    const [first] = splitter.push(Buffer.from('st\n\ndata: sec'))
    splitter.push(Buffer.from('ond\n\ndata: third'))
    expect(first?.raw.toString()).toBe('data: first\n\n')
  })

  it('refuses an event over the limit, whole or in parts, and takes one at the limit', () => {
    const event = Buffer.from(`data: ${'x'.repeat(92)}\n\n`)
    expect(event.length).toBe(100)
    const bytes = Array.from({ length: 100 }, (_, at) => event.subarray(at, at + 1))
    for (const chunks of [
      [event, event],
      [...bytes, ...bytes],
    ]) {
      expect(split(chunks, 100).events).toHaveLength(2)
      expect(() => split(chunks, 99)).toThrow(SseEventTooLargeError)
    }
    expect(() => split([event.subarray(0, 98)], 97)).toThrow(SseEventTooLargeError)
  })

  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('makes few events of many blank lines that end with %s', (_, end) => {
    const blank = end.repeat(10_000)
    const { events } = splitText(`data: a${end}${end}${blank}data: b${end}${end}`)
    expect(events.map(({ data }) => data)).toEqual(['a', null, 'b'])
    expect(split([Buffer.from(blank)], 100).events.length).toBeLessThanOrEqual(Math.ceil(blank.length / 99))
  })

  it('takes time in proportion to a large event that comes in small chunks', () => {
    const event = Buffer.from(`data: ${'x'.repeat(4 * 1024 * 1024)}\n\n`)
    const chunks: Buffer[] = []
    for (let at = 0; at < event.length; at += 100) chunks.push(event.subarray(at, at + 100))
    const { events, rest } = split(chunks, event.length)
    expect([events.length, events[0]?.raw === event.toString('latin1'), rest]).toEqual([1, true, ''])
  })

  it('gives the same events for any cut of any stream, and their raw bytes are the stream', () => {
    const bits = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\n\r\n', '\r\r') },
      {
        weight: 2,
        arbitrary: fc.constantFrom('data: {"a":"é漢🙂"}', 'data:', 'data', ': ping', 'id: 1', ' ', ':', 'dat'),
      },
      { weight: 1, arbitrary: fc.constantFrom('\ufeff', 'data: a\n\n', 'data: [DONE]\n\n') },
    )
    const streams = fc.array(bits, { maxLength: 24 }).map((deps) => Buffer.from(deps.join('')))
    fc.assert(
      fc.property(streams, fc.array(fc.nat(), { maxLength: 12 }), (stream, places) => {
        const found = split(cut(stream, places))
        expect(withBlankLinesJoined(found)).toEqual(withBlankLinesJoined(reference(stream)))
        expect(found.events.map(({ raw }) => raw).join('') + found.rest).toBe(stream.toString('latin1'))
      }),
      { numRuns: 2000 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FormPart, readMultipart } from './multipart.ts'

/** Backslashes in names, which browsers do not escape. */
const BACKSLASHES = ['\\', 'a\\', '\\\\', 'C:\\a\\b', '\\"', '\\"\\']

type Field = { name: string; filename: string | null; bytes: Uint8Array<ArrayBuffer> }

const TYPE = 'multipart/form-data; boundary=b'
const read = (body: string, type = TYPE) => readMultipart(Buffer.from(body), type, 10)
const part = (disposition: string, content: string, more = '') =>
  `--b\r\ncontent-disposition: ${disposition}\r\n${more}\r\n${content}\r\n`

describe('readMultipart', () => {
  test('returns what fetch has encoded, for any form', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 })
    const named = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    const field = fc.record({ name: text, filename: fc.option(named), bytes: fc.uint8Array({ maxLength: 50 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 5 }), async (fields) => {
        const form = new FormData()
        for (const { name, filename, bytes } of fields) {
          if (filename === null) form.append(name, Buffer.from(bytes).toString('hex'))
          else form.append(name, new Blob([bytes], { type: 'text/plain' }), filename)
        }
        const encoded = new Response(form)
        const type = encoded.headers.get('content-type') ?? ''
        const parts = readMultipart(Buffer.from(await encoded.arrayBuffer()), type, 10) as FormPart[]
        const decoded = await new Response(form).formData()
        expect(parts.map(({ name, filename }) => [name, filename])).toEqual(
          [...decoded].map(([name, value]) => [name, typeof value === 'string' ? null : value.name]),
        )
        const contents = [...decoded.values()].map(async (value) =>
          typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer()),
        )
        expect(parts.map(({ bytes }) => bytes)).toEqual(await Promise.all(contents))
      }),
      {
        numRuns: 50,
        examples: BACKSLASHES.map((name): [Field[]] => [[{ name, filename: `${name}.txt`, bytes: new Uint8Array() }]]),
      },
    )
  })

  test.each([
    ['a quote', 'a\\"b', 'a"b'],
    ['a quote at its end', 'a\\"', 'a"'],
  ])('reads a name with %s after a backslash', (_, written, name) => {
    expect(read(`${part(`form-data; name="${written}"; filename="f"`, '1')}--b--`)).toMatchObject([{ name }])
  })

  test.each([
    ['with a preamble and an epilogue', `hello\r\n${part('form-data; name="a"', '1')}--b--\r\nbye`, TYPE],
    ['with a quoted boundary', `${part('form-data; name="a"', '1')}--b--`, 'multipart/form-data; boundary="b"'],
    ['with spaces after a boundary', `${part('form-data; name=a', '1').replace('--b', '--b \t')}--b--`, TYPE],
    ['with headers in any case', `${part('form-data; name=a', '1').replace('content-d', 'Content-D')}--b--`, TYPE],
  ])('reads a body %s', (_, body, type) => {
    expect(read(body, type)).toMatchObject([{ name: 'a', filename: null, bytes: Buffer.from('1') }])
  })

  test('a longer line that starts like a boundary is content, and so is a boundary in the middle of a line', () => {
    const content = 'x\r\n--bc\r\ny--b\r\n-- b\r\n'
    expect(read(`${part('form-data; name=a', content)}--b--`)).toMatchObject([{ bytes: Buffer.from(content) }])
  })

  test.each([
    ['no boundary', 'x', 'multipart/form-data'],
    ['nothing', '', TYPE],
    ['no end', part('form-data; name=a', '1'), TYPE],
    ['no name', `${part('form-data', '1')}--b--`, TYPE],
    ['no headers', '--b\r\n\r\n1\r\n--b--', TYPE],
    ['endless headers', `--b\r\nx: ${'y'.repeat(10_000)}\r\n\r\n1\r\n--b--`, TYPE],
    ['lookalikes of its boundary', `${part('form-data; name=a', '\r\n--bx'.repeat(100_000))}--b--`, TYPE],
  ])('a body with %s is unreadable', (_, body, type) => {
    expect(read(body, type)).toBe('unreadable')
  })

  test('more parts than allowed are not read', () => {
    expect(read(`${part('form-data; name=a', '1').repeat(10)}--b--`)).toHaveLength(10)
    expect(read(`${part('form-data; name=a', '1').repeat(11)}--b--`)).toBe('too many parts')
    expect(read(part('form-data; name=a', '1').repeat(100_000))).toBe('too many parts')
  })
})

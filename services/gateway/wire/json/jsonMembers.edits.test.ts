import { describe, expect, it } from 'vitest'
import { withEdits } from './jsonMembers.ts'

describe('withEdits', () => {
  it('replaces, inserts and deletes, and keeps every other byte', () => {
    const source = Buffer.from([0xff, 0x61, 0x62, 0x63, 0xfe])
    const edited = withEdits(source, [
      { start: 0, end: 0, text: '<' },
      { start: 1, end: 2, text: 'é漢' },
      { start: 2, end: 3, text: '' },
      { start: 5, end: 5, text: '>' },
    ])
    expect(edited).toEqual(
      Buffer.concat([
        Buffer.from('<'),
        Buffer.from([0xff]),
        Buffer.from('é漢c'),
        Buffer.from([0xfe]),
        Buffer.from('>'),
      ]),
    )
  })

  it('leaves its source as it was', () => {
    const source = Buffer.from('abc')
    withEdits(source, [{ start: 0, end: 3, text: 'xyz' }])
    expect(source.toString()).toBe('abc')
  })

  it('refuses edits that overlap or run backwards', () => {
    const source = Buffer.from('abcdef')
    const overlapping = [
      { start: 0, end: 3, text: '' },
      { start: 2, end: 4, text: '' },
    ]
    expect(() => withEdits(source, overlapping)).toThrow(RangeError)
    expect(() => withEdits(source, [{ start: 3, end: 2, text: 'abc' }])).toThrow(RangeError)
  })
})

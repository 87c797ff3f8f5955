import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HeldBytes } from './heldBytes.ts'

describe('held bytes', () => {
  test('are everything that was added, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3_000 })), (pieces) => {
        const held = new HeldBytes(1_000_000)
        for (const piece of pieces) expect(held.add(Buffer.from(piece))).toBe(true)
        expect(held.bytes().equals(Buffer.concat(pieces))).toBe(true)
      }),
    )
  })

  test('reach their limit and no further', () => {
    const held = new HeldBytes(10)
    expect(held.add(Buffer.from('12345678'))).toBe(true)
    expect(held.add(Buffer.from('abc'))).toBe(false)
    expect(held.add(Buffer.from('90'))).toBe(true)
    expect(held.add(Buffer.from('x'))).toBe(false)
    expect(held.bytes().toString()).toBe('1234567890')
  })

  test('do not change with the chunk that they arrived in', () => {
    const held = new HeldBytes(10)
    const chunk = Buffer.from('abc')
    held.add(chunk)
    chunk.fill('x')
    expect(held.bytes().toString()).toBe('abc')
  })
})

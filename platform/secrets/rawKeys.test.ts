import { expect, test } from 'vitest'
import { hashRawKey, mintRawKey } from './rawKeys.ts'

test('a raw key has 256 random bits, a SHA-256 hash, and its first characters as a hint', () => {
  const { raw, hash, hint } = mintRawKey()
  expect(raw).toMatch(/^tg_[\w-]{43}$/)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(hash).toBe(hashRawKey(raw))
  expect(raw.startsWith(hint)).toBe(true)
  expect(hint.length).toBeLessThan(12)
  expect(mintRawKey().raw).not.toBe(raw)
})

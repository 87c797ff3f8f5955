import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KeyStamp } from './keyStamp.ts'
import { hashRawKey, mintRawKey } from './rawKeys.ts'

const NOW_MS = Date.UTC(2026, 2, 1, 10, 0, 30)
const MINUTE_MS = 60_000
const stamp = new KeyStamp('an-internal-token')

test('a stamped key looks like any other: prefix, 43 characters, hash and hint', () => {
  const { raw, hash, hint } = stamp.mint(NOW_MS)
  expect(raw).toMatch(/^tg_[\w-]{43}$/)
  expect(raw).toHaveLength(mintRawKey().raw.length)
  expect(hash).toBe(hashRawKey(raw))
  expect(raw.startsWith(hint)).toBe(true)
  expect(hint).toHaveLength(8)
})

test('the hints of keys of one minute differ, because the random part comes first', () => {
  expect(new Set(Array.from({ length: 50 }, () => stamp.mint(NOW_MS).hint)).size).toBeGreaterThan(45)
})

describe('a key is new', () => {
  const { raw } = stamp.mint(NOW_MS)

  test('for at least two minutes, even by a clock that is behind', () => {
    for (const ms of [-MINUTE_MS, 0, 2 * MINUTE_MS]) expect(stamp.isNew(raw, NOW_MS + ms)).toBe(true)
  })

  test('not when it is older, and not by a clock that is far behind', () => {
    for (const ms of [3 * MINUTE_MS, -3 * MINUTE_MS, 365 * 24 * 60 * MINUTE_MS]) {
      expect(stamp.isNew(raw, NOW_MS + ms)).toBe(false)
    }
  })

  test('only to the installation that minted it', () => {
    expect(new KeyStamp('another-internal-token').isNew(raw, NOW_MS)).toBe(false)
    expect(new KeyStamp('an-internal-token').isNew(raw, NOW_MS)).toBe(true)
  })

  test('only with every bit unchanged', () => {
    const bytes = Buffer.from(raw.slice(3), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(stamp.isNew(`tg_${changed.toString('base64url')}`, NOW_MS)).toBe(false)
    }
  })

  test('only if it has the shape of a key', () => {
    const others = ['', 'tg_', raw.slice(0, -1), `${raw}A`, raw.replace('tg_', 'xy_'), `tg_${'!'.repeat(43)}`]
    for (const other of others) expect(stamp.isNew(other, NOW_MS)).toBe(false)
    for (let n = 0; n < 1_000; n++) {
      expect(stamp.isNew(`tg_${randomBytes(32).toString('base64url')}`, NOW_MS)).toBe(false)
    }
  })
})

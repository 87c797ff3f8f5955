import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SaltSecret } from './saltSecret.ts'

const hmacOf = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('binary')

describe('the salts of a log secret', () => {
  const ids = [
    '',
    'a',
    randomUUID(),
    randomUUID(),
    'ü'.repeat(36),
    '\u0141'.repeat(36),
    'x'.repeat(37),
    'x'.repeat(500),
  ]
  test.for([32, 0, 1, 64])('are HMAC-SHA-256 of ids of any length, under a key of %i bytes', (bytes) => {
    const key = randomBytes(bytes)
    const secret = new SaltSecret(key)
    for (const id of [...ids, ...ids.toReversed()]) {
      expect(secret.saltOf(id)).toBe(hmacOf(key, id))
      expect(secret.withheldSaltOf(id)).toBe(hmacOf(key, `tollgate/withheld/v1\n${id}`))
    }
  })

  test('of two secrets used alternately do not mix', () => {
    const [one, other] = [randomBytes(32), randomBytes(32)]
    const [secretOfOne, secretOfOther] = [new SaltSecret(one), new SaltSecret(other)]
    const id = randomUUID()
    expect([secretOfOne.saltOf(id), secretOfOther.saltOf(id)]).toEqual([hmacOf(one, id), hmacOf(other, id)])
    expect(secretOfOne.saltOf(id)).toBe(hmacOf(one, id))
  })

  test('need a key that fits into a block of the hash', () => {
    expect(() => new SaltSecret(randomBytes(65))).toThrow('a log secret has 65 bytes')
  })
})

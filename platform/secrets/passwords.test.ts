import { randomBytes, scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashGeneratedPassword, hashPassword, verifyPassword } from './passwords.ts'

function hashedWith(password: string, { ln, r, p, bytes = 32 }: { ln: number; r: number; p: number; bytes?: number }) {
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, bytes, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r })
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

describe('a password', () => {
  test('is verified by its hash, which differs each time; another password is not', async () => {
    const stored = await hashPassword('correct horse')
    expect(stored).not.toContain('correct')
    expect(await hashPassword('correct horse')).not.toBe(stored)
    expect(await verifyPassword('correct horse', stored)).toBe(true)
    expect(await verifyPassword('correct horsf', stored)).toBe(false)
  })

  test('that was generated is hashed at low cost and verified', async () => {
    const password = randomBytes(12).toString('base64url')
    const stored = await hashGeneratedPassword(password)
    expect(stored).toMatch(/^\$scrypt\$ln=10,/)
    expect(await verifyPassword(password, stored)).toBe(true)
    expect(await verifyPassword('another one', stored)).toBe(false)
  })

  test.each([
    ['weaker than the current ones', { ln: 10, r: 8, p: 1 }],
    ['stronger than the current ones', { ln: 16, r: 8, p: 1 }],
  ])('hashed with parameters %s is verified', async (_, parameters) => {
    const stored = hashedWith('correct horse', parameters)
    expect(await verifyPassword('correct horse', stored)).toBe(true)
    expect(await verifyPassword('wrong', stored)).toBe(false)
  })

  test.each([
    ['an empty text', ''],
    ['a hash in another format', '$2b$12$abcdefghijklmnopqrstuv'],
    ['the password itself', 'correct horse'],
    ['an empty hash', '$scrypt$ln=10,r=8,p=1$c2FsdA$'],
    ['a hash of less than a byte', '$scrypt$ln=10,r=8,p=1$c2FsdA$A'],
    ['a truncated hash', hashedWith('correct horse', { ln: 10, r: 8, p: 1, bytes: 16 })],
  ])('is not verified by %s', async (_, stored) => {
    expect(await verifyPassword('correct horse', stored)).toBe(false)
  })
})

test('hashing many passwords leaves threads for the tokens of signed-in users', async () => {
  let hashed = 0
  const hashes = Array.from({ length: 12 }, () => hashPassword('correct horse').then(() => hashed++))
  await crypto.subtle.digest('SHA-256', Buffer.from('a token'))
  // Node has four threads: if all were taken, the digest would wait for nine hashes.
  expect(hashed).toBeLessThan(9)
  await Promise.all(hashes)
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { withoutSecretTexts } from '../logger/redact.ts'
import { hashLinkToken, type LinkId, linkToken, readLinkToken } from './linkTokens.ts'

const SECRET = 's'.repeat(32)
const link = (): LinkId => ({ kind: 'invitation', ownerId: randomUUID(), linkId: randomUUID() })

describe('the token of a link', () => {
  test('is the same for the same link and secret, and changes with any part of it', () => {
    const one = link()
    const token = linkToken(SECRET, one)
    expect(linkToken(SECRET, { ...one })).toBe(token)
    const others = [
      linkToken('t'.repeat(32), one),
      linkToken(SECRET, { ...one, linkId: randomUUID() }),
      linkToken(SECRET, { ...one, ownerId: randomUUID() }),
      linkToken(SECRET, { ...one, kind: 'passwordReset' }),
    ]
    const codes = [token, ...others].map((text) => text.slice(-43))
    expect(new Set(codes).size).toBe(5)
    expect(hashLinkToken(token)).toMatch(/^[0-9a-f]{64}$/)
  })

  test('names the stream that records it, and is accepted for its own kind only', () => {
    const one = link()
    const token = linkToken(SECRET, one)
    expect(readLinkToken('invitation', ` ${token}\n`)).toEqual({
      ownerId: one.ownerId,
      tokenHash: hashLinkToken(token),
    })
    expect(readLinkToken('passwordReset', token)).toBeNull()
    for (const text of ['', 'x', token.slice(1), `${token}x`, token.replace('_', '.')]) {
      expect(readLinkToken('invitation', text)).toBeNull()
    }
  })

  test('is redacted in logs', () => {
    const token = linkToken(SECRET, link())
    expect(withoutSecretTexts(`asked with ${token} today`)).toBe('asked with *** today')
  })
})

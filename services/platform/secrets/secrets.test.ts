import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signAccessToken } from './accessTokens.ts'
import { generatedSecrets } from './generatedSecrets.ts'
import { hashRawKey, mintRawKey } from './rawKeys.ts'

describe('a raw key', () => {
  test('has 256 random bits, is kept as its SHA-256 and told by its first characters', () => {
    const { raw, hash, hint } = mintRawKey()
    expect(raw).toMatch(/^tg_[\w-]{43}$/)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hash).toBe(hashRawKey(raw))
    expect(raw.startsWith(hint)).toBe(true)
    expect(hint.length).toBeLessThan(12)
    expect(mintRawKey().raw).not.toBe(raw)
  })
})

describe('an access token', () => {
  test('is a JWT by HS256 with sub, email, iat and exp', async () => {
    const secret = 's'.repeat(32)
    const nowMs = Date.UTC(2026, 0, 1)
    const token = await signAccessToken(secret, { userId: 'u-1', email: 'a@example.com' }, nowMs, 3_600)
    const options = { algorithms: ['HS256'], currentDate: new Date(nowMs) }
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options)
    expect(payload).toEqual({ sub: 'u-1', email: 'a@example.com', iat: nowMs / 1_000, exp: nowMs / 1_000 + 3_600 })
    await expect(jwtVerify(token, new TextEncoder().encode('t'.repeat(32)), options)).rejects.toThrow()
  })
})

describe('the generated secrets of a sandbox installation', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('are made once, are long, and can be read by their owner only', async () => {
    const secrets = await generatedSecrets(folder)
    expect(await generatedSecrets(folder)).toEqual(secrets)
    expect(secrets.jwtSecret.length).toBeGreaterThanOrEqual(32)
    expect(secrets.internalToken.length).toBeGreaterThanOrEqual(16)
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['secrets.json'])
  })

  test('are not made anew in place of a file that was damaged', async () => {
    writeFileSync(join(folder, 'secrets.json'), '{"jwtSecret":"short"}')
    await expect(generatedSecrets(folder)).rejects.toThrow()
  })
})

import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { signAccessToken } from './accessTokens.ts'

test('an access token is a JWT by HS256 with sub, email, iat and exp', async () => {
  const secret = 's'.repeat(32)
  const nowMs = Date.UTC(2026, 0, 1)
  const token = await signAccessToken(secret, { userId: 'u-1', email: 'a@example.com', version: 0 }, nowMs, 3_600)
  const options = { algorithms: ['HS256'], currentDate: new Date(nowMs) }
  const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options)
  expect(payload).toEqual({ sub: 'u-1', email: 'a@example.com', iat: nowMs / 1_000, exp: nowMs / 1_000 + 3_600 })
  await expect(jwtVerify(token, new TextEncoder().encode('t'.repeat(32)), options)).rejects.toThrow()
})

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { ACCESS_TOKEN_SECONDS } from '../../platform/secrets/accessTokens.ts'
import { writeDemo } from './announce.ts'
import { demoFilePath, newDemoIdentity } from './demoFile.ts'

const NOW_MS = Date.UTC(2026, 0, 1)
const secrets = { jwtSecret: 's'.repeat(32), internalToken: 'i', webhookSecret: 'w' }
const addresses = { gateways: ['http://gateway'] as const, backend: 'http://backend', ai: 'http://ai', sandbox: null }

test('the tokens in demo.json last as long as documented', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const users = { ...newDemoIdentity(), tokenVersions: new Map(), signInToken: 'tg_signin_x' }
  await writeDemo({ dataDir, secrets, nowMs: NOW_MS, logVkey: 'v' }, users, addresses, 'log')
  const demo = JSON.parse(readFileSync(demoFilePath(dataDir), 'utf8'))
  for (const token of [demo.adminToken, demo.superAdminToken]) {
    expect(decodeJwt(token)).toMatchObject({ iat: NOW_MS / 1_000, exp: NOW_MS / 1_000 + ACCESS_TOKEN_SECONDS })
  }
  expect(demo.consoleUrl).toBe('http://backend/')
  expect(demo.signInUrl).toBe('http://backend/session/link#token=tg_signin_x')
  for (const document of ['docs/admins.md', 'SECURITY.md']) {
    expect(readFileSync(document, 'utf8')).toMatch(new RegExp(`JWTs?,.* ${ACCESS_TOKEN_SECONDS / 3_600} hours;`))
  }
})

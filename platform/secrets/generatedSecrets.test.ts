import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { generatedSecrets } from './generatedSecrets.ts'

describe('the generated secrets of a sandbox installation', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('are generated once, are long, and readable by their owner only', async () => {
    const secrets = await generatedSecrets(folder)
    expect(await generatedSecrets(folder)).toEqual(secrets)
    expect(secrets.jwtSecret.length).toBeGreaterThanOrEqual(32)
    expect(secrets.internalToken.length).toBeGreaterThanOrEqual(16)
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['secrets.json'])
  })

  test('are not generated again if the file is damaged', async () => {
    const file = join(folder, 'secrets.json')
    writeFileSync(file, '{"jwtSecret":"short"}')
    await expect(generatedSecrets(folder)).rejects.toThrow(
      `${file} is damaged (wrong or missing: jwtSecret, internalToken, webhookSecret): put a copy of it back, or delete it`,
    )
    expect(readFileSync(file, 'utf8')).toBe('{"jwtSecret":"short"}')
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { parseVerifierKey, signingKey } from '../../platform/secrets/noteKeys.ts'
import { openNote, signNote } from './note.ts'
import { openSigningKeys, signingKeysOf } from './signingKeys.ts'

const keyOf = (name: string, byte = 1) => signingKey(name, Buffer.alloc(32, byte))
const production = (env: Record<string, string>) =>
  readConfig({ SANDBOX: '0', PUBLIC_URL: 'https://t.example', ...env })

describe('the keys of LOG_SIGNING_KEY', () => {
  test('sign for the host of PUBLIC_URL unless LOG_ORIGIN is set', () => {
    expect(signingKeysOf(production({ LOG_SIGNING_KEY: keyOf('t.example').text })).origin).toBe('t.example')
    const env = { LOG_ORIGIN: 'log.example/1', LOG_SIGNING_KEY: keyOf('log.example/1').text }
    expect(signingKeysOf(production(env)).origin).toBe('log.example/1')
  })

  test('all sign during a rotation, the newest first', () => {
    const [newer, older] = [keyOf('t.example', 1), keyOf('t.example', 2)]
    const keys = signingKeysOf(production({ LOG_SIGNING_KEY: `${newer.text},${older.text}` }))
    const note = signNote('t.example\n', keys.of('t.example'))
    for (const { vkey } of [newer, older]) expect(openNote(note, [parseVerifierKey(vkey)])).toBe('t.example\n')
    expect(keys.of('t.example')[0].vkey).toBe(newer.vkey)
  })

  test('have the name of an origin that a restore started, and the same seed', () => {
    const keys = signingKeysOf(production({ LOG_SIGNING_KEY: keyOf('t.example').text }))
    expect(keys.of('t.example/2')).toMatchObject([{ text: keyOf('t.example/2').text }])
  })

  test('with a name other than the origin are refused, with what to do', () => {
    const settings = production({ LOG_SIGNING_KEY: keyOf('other.example').text })
    expect(() => signingKeysOf(settings)).toThrow(SettingError)
    expect(() => signingKeysOf(settings)).toThrow(/other\.example.*origin is t\.example.*set LOG_ORIGIN/)
    const rotation = `${keyOf('t.example').text},${keyOf('other.example').text}`
    expect(() => signingKeysOf(production({ LOG_SIGNING_KEY: rotation }))).toThrow(/other\.example/)
  })

  test('are required outside a sandbox installation', async () => {
    await expect(openSigningKeys(production({}))).rejects.toThrow(/^LOG_SIGNING_KEY is not set/)
  })
})

describe('the keys of a sandbox installation', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-log-keys-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('are the same at every start, whatever its ports are', async () => {
    const first = await openSigningKeys(readConfig({ DATA_DIR: folder }))
    const second = await openSigningKeys(readConfig({ DATA_DIR: folder, BACKEND_PORT: '5001' }))
    expect(first.origin).toMatch(/^tollgate\.sandbox\/[0-9a-f]{16}$/)
    expect(second.of(second.origin)[0].text).toBe(first.of(first.origin)[0].text)
  })

  test('have the name in LOG_ORIGIN if it is set, and are those of LOG_SIGNING_KEY if that is', async () => {
    expect((await openSigningKeys(readConfig({ DATA_DIR: folder, LOG_ORIGIN: 'mine' }))).of('mine')[0].name).toBe(
      'mine',
    )
    const given = await openSigningKeys(readConfig({ DATA_DIR: folder, LOG_SIGNING_KEY: keyOf('own').text }))
    expect(given.of(given.origin)[0].text).toBe(keyOf('own').text)
  })
})

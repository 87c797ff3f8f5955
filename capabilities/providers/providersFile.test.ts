import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SANDBOX_ALIASES } from '../../contracts/aliases.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { parseProviders, readProvidersFile, routeOf, sandboxProviders } from './providersFile.ts'
import { WIRES } from './wires.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-providers-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const VENDOR = { name: 'vendor', baseUrl: 'https://api.vendor.example/v1', model: 'v-1', apiKeyEnv: 'VENDOR_KEY' }
const fileWith = (provider: object, alias = 'svc/chat-default', entry: object = {}) =>
  JSON.stringify({ aliases: { [alias]: { ...entry, providers: [provider] } } })

/** The message of the SettingError, which must be one line. */
function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError)
    expect((error as Error).message).not.toContain('\n')
    return (error as Error).message
  }
  throw new Error('no error was thrown')
}

describe('PROVIDERS_FILE', () => {
  test('gives each alias its providers, with the defaults and the key from its variable', () => {
    const path = join(folder, 'providers.json')
    writeFileSync(path, fileWith(VENDOR))
    expect(readProvidersFile(path, { VENDOR_KEY: 'secret' })).toEqual({
      'svc/chat-default': {
        maxOutputTokens: 4_096,
        strategy: 'order',
        refuse: [],
        allow: [],
        unofferedTools: 'refuse',
        abandoned: 'free',
        providers: [
          {
            name: 'vendor',
            baseUrl: 'https://api.vendor.example/v1',
            model: 'v-1',
            apiKey: 'secret',
            wires: ['chat', 'completions', 'embeddings'],
            weight: 1,
            connectTimeoutMs: 2_000,
            firstByteTimeoutMs: 600_000,
            idleTimeoutMs: 120_000,
          },
        ],
      },
    })
  })

  test('accepts every documented field', () => {
    const cost = { currency: 'eur', inputPerMillion: '1', outputPerMillion: '2.5' }
    const timeouts = { connectTimeoutMs: 1, firstByteTimeoutMs: 2, idleTimeoutMs: 3 }
    const wires = ['chat', 'completions', 'embeddings', 'responses', 'messages']
    const entry = {
      ...{ maxOutputTokens: 7, contextLength: 9, strategy: 'weighted' },
      ...{ refuse: ['plugins'], allow: ['web_search'], unofferedTools: 'drop', abandoned: 'drain' },
    }
    const fields = { ...timeouts, wires, weight: 2.5, usage: 'xai' }
    const table = parseProviders(fileWith({ ...VENDOR, ...fields, cost }, 'svc/embed-default', entry), 'p.json', {
      VENDOR_KEY: 'secret',
    })
    expect(table['svc/embed-default']).toMatchObject({ ...entry, providers: [fields] })
    expect(table['svc/embed-default']?.providers[0].cost).toEqual({
      currency: 'eur',
      price: { rates: { input: '1000000', output: '2500000' } },
    })
  })

  test.each(['openai', 'anthropic', 'xai', 'gemini', 'deepseek'])('may say that usage is reported like %s', (usage) => {
    const table = parseProviders(fileWith({ ...VENDOR, usage }), 'p.json', { VENDOR_KEY: 'secret' })
    expect(table['svc/chat-default']?.providers[0].usage).toBe(usage)
  })

  test.each(['acme/fast', 'gpt-5', 'a', '7', 'vendor/model:2026-01_b.2', 'constructor', 'a'.repeat(100)])(
    'may name any alias, such as %s',
    (alias) => {
      const table = parseProviders(fileWith(VENDOR, alias), 'p.json', { VENDOR_KEY: 'secret' })
      expect(routeOf(table, alias)?.providers[0].model).toBe('v-1')
    },
  )

  test('an alias that it omits has no route, not even one named like an inherited property', () => {
    const table = parseProviders(fileWith(VENDOR), 'p.json', { VENDOR_KEY: 'secret' })
    expect(['acme/fast', 'constructor', 'toString'].map((alias) => routeOf(table, alias))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('a provider without a key needs no variable', () => {
    const { apiKeyEnv: _, ...open } = VENDOR
    expect(parseProviders(fileWith(open), 'p.json', {})['svc/chat-default']?.providers[0].apiKey).toBeNull()
  })

  test('a missing or unreadable file is reported with its path', () => {
    const path = join(folder, 'missing.json')
    expect(messageOf(() => readProvidersFile(path, {}))).toBe(`PROVIDERS_FILE: ${path} cannot be read (ENOENT)`)
    expect(messageOf(() => readProvidersFile(folder, {}))).toContain('(EISDIR)')
  })

  test.each([
    ['invalid JSON', '{\n  "aliases": {\n    oops\n  }\n}', /^PROVIDERS_FILE: p\.json is not JSON: /],
    ['invalid JSON on several lines', '{"aliases":\noops\n}', /is not JSON: .*oops/],
    ['no content', '', /is not JSON/],
    ['an array', '[]', /^PROVIDERS_FILE: p\.json: the file: /],
    ['no aliases', '{}', /aliases: /],
    ['an unknown field at the top', '{"aliases":{},"alias":{}}', /"alias"/],
    ['an alias in capitals', fileWith(VENDOR, 'Acme/Fast'), /aliases\.Acme\/Fast: is not a model alias, which begins/],
    ['an alias of 101 characters', fileWith(VENDOR, 'a'.repeat(101)), /at most 100 characters/],
    [
      'an unknown field of an alias',
      fileWith(VENDOR, 'svc/chat-cheap', { maxTokens: 1 }),
      /svc\/chat-cheap.*"maxTokens"/,
    ],
    ['an unknown field of a provider', fileWith({ ...VENDOR, apiKey: 'secret' }), /providers\.0: .*"apiKey"/],
    ['a context length of zero', fileWith(VENDOR, 'svc/chat-cheap', { contextLength: 0 }), /contextLength: /],
    ['a refused field that is not a name', fileWith(VENDOR, 'svc/chat-cheap', { refuse: ['a b'] }), /refuse\.0: /],
    [
      'a refused field that is needed',
      fileWith(VENDOR, 'svc/chat-cheap', { refuse: ['messages'] }),
      /refuse\.0: .*needs/,
    ],
    ['an API that does not exist', fileWith({ ...VENDOR, wires: ['telegraph'] }), /providers\.0\.wires\.0: /],
    ['an empty list of APIs', fileWith({ ...VENDOR, wires: [] }), /providers\.0\.wires: /],
    ['another shape of usage', fileWith({ ...VENDOR, usage: 'vendor' }), /providers\.0\.usage: /],
    ['another fate of abandoned calls', fileWith(VENDOR, 'a', { abandoned: 'half' }), /aliases\.a\.abandoned: /],
    ['another fate of tools', fileWith(VENDOR, 'svc/chat-cheap', { unofferedTools: 'run' }), /unofferedTools: /],
    ['a hosted tool that is not a name', fileWith(VENDOR, 'svc/chat-cheap', { allow: ['web search'] }), /allow\.0: /],
    [
      'too many aliases',
      JSON.stringify({
        aliases: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`a${n}`, { providers: [VENDOR] }])),
      }),
      /aliases: at most 1000 aliases/,
    ],
    ['another strategy', fileWith(VENDOR, 'a', { strategy: 'random' }), /aliases\.a\.strategy: /],
    ['a negative weight', fileWith({ ...VENDOR, weight: -1 }), /providers\.0\.weight: /],
    ['no weight above 0', fileWith({ ...VENDOR, weight: 0 }), /svc\/chat-default\.providers: .*weight above 0/],
    ['no provider', '{"aliases":{"svc/chat-cheap":{"providers":[]}}}', /svc\/chat-cheap\.providers: /],
    ['no model', fileWith({ ...VENDOR, model: undefined }), /providers\.0\.model: /],
    ['an address that is not a URL', fileWith({ ...VENDOR, baseUrl: 'api.vendor.example' }), /providers\.0\.baseUrl: /],
    ['an address with another scheme', fileWith({ ...VENDOR, baseUrl: 'file:///etc/passwd' }), /baseUrl: /],
    ['a time-out of zero', fileWith({ ...VENDOR, idleTimeoutMs: 0 }), /idleTimeoutMs: /],
    [
      'a key instead of the name of its variable',
      fileWith({ ...VENDOR, apiKeyEnv: 'sk-hunter2' }),
      /apiKeyEnv: (?!.*hunter2)/,
    ],
    [
      'a cost without a currency',
      fileWith({ ...VENDOR, cost: { inputPerMillion: '1', outputPerMillion: '2' } }),
      /providers\.0\.cost\.currency: /,
    ],
    [
      'an unknown unit in a cost',
      fileWith({
        ...VENDOR,
        cost: { currency: 'usd', inputPerMillion: '1', outputPerMillion: '2', units: { a: '1' } },
      }),
      /aliases\.svc\/chat-default\.providers\.0\.cost\.units: "a" is not among the known units/,
    ],
    ['a negative cost', fileWith({ ...VENDOR, cost: { inputMicrosPerToken: -1, outputMicrosPerToken: 1 } }), /cost/],
  ])('a file with %s is refused', (_, text, message) => {
    expect(messageOf(() => parseProviders(text, 'p.json', { VENDOR_KEY: 'secret' }))).toMatch(message)
  })

  test.each([undefined, ''])(
    'a key whose variable is not set (%j) is reported by the name of the variable',
    (value) => {
      const message = messageOf(() => parseProviders(fileWith(VENDOR), 'p.json', { VENDOR_KEY: value }))
      expect(message).toBe('VENDOR_KEY is not set; p.json names it as the key of provider vendor')
    },
  )
})

test('the sandbox serves every alias of its catalogue, each with its own model name, and chat over every API', () => {
  const table = sandboxProviders('http://127.0.0.1:4003')
  expect(Object.keys(table)).toEqual([...SANDBOX_ALIASES])
  const providers = Object.values(table).map((entry) => entry?.providers[0])
  expect(new Set(providers.map((provider) => provider?.model)).size).toBe(SANDBOX_ALIASES.length)
  expect(providers[0]).toMatchObject({ name: 'sandbox', baseUrl: 'http://127.0.0.1:4003/v1', apiKey: null })
  expect(table['svc/chat-default']?.providers[0].wires).toEqual(WIRES)
  expect(table['svc/embed-default']?.providers[0].wires).toEqual(['chat', 'completions', 'embeddings'])
})

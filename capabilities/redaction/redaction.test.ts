import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProviderTable } from '../providers/providersFile.ts'
import { withoutKeyLikeTexts, withoutKeys } from './keyLikeTexts.ts'
import { Redaction } from './redaction.ts'

const provider = (fields: object) => ({ apiKey: null, baseUrl: 'http://127.0.0.1:9/v1', ...fields })
const TABLE = {
  'svc/chat-default': {
    maxOutputTokens: 1,
    providers: [
      provider({ name: 'Acme', model: 'acme/large-1', baseUrl: 'https://api.acme.example/v1', apiKey: 'acme key 1' }),
      provider({ name: 'second one', model: 'mini', apiKey: 'k2' }),
    ],
  },
} as unknown as ProviderTable
const SECRETS = ['a-secret-of-ours', 'pass']
const redaction = new Redaction({ secrets: SECRETS, tables: [TABLE] })

describe('a text for callers', () => {
  test.each([
    ['large-1 does not support images', 'the model does not support images'],
    ['use acme/large-1, or ACME/LARGE-1-turbo.', 'use the model, or the model.'],
    ['large-1:latest: bad. large-1: bad', 'the model: bad. the model: bad'],
    ['large-10, xlarge-1, minimum, é-mini-é', 'large-10, xlarge-1, minimum, é-the model'],
    ['Acme and acmes, (acme), second one', 'the provider and acmes, (the provider), the provider'],
    ['see https://docs.acme.example/errors#1', 'see https://docs.the provider/errors#1'],
    ['http://127.0.0.1:9/v1/chat', 'http://the provider:9/v1/chat'],
  ])('has no names of providers and models: %s', (text, shown) => {
    expect(redaction.forCallers(text)).toBe(shown)
  })

  test.each([
    ['your key "acme key 1" is over its quota', 'your key "***" is over its quota'],
    ['xa-secret-of-oursx', 'x***x'],
    [
      'pass is wrong, compass and passage are not; k2 is, k23 is not',
      '*** is wrong, compass and passage are not; *** is, k23 is not',
    ],
  ])('has none of the known secrets: %s', (text, shown) => {
    expect(redaction.forCallers(text)).toBe(shown)
  })

  test('that is too long is cut, but not within a word', () => {
    const long = `${'ab '.repeat(10_920)}a-secret-of-ours`
    expect(long.length).toBeGreaterThan(32 * 1024)
    expect(redaction.forCallers(long)).toBe('ab '.repeat(10_920).trimEnd())
    expect(redaction.forCallers('a'.repeat(100_000))).toBe('')
  })

  test('that came from a table before a reload has none of its names', () => {
    expect(new Redaction({ secrets: [], tables: [{}, TABLE] }).forCallers('mini')).toBe('the model')
    expect(new Redaction({ secrets: [], tables: [] }).forCallers('mini is up')).toBe('mini is up')
  })
})

test('a text for operators keeps the names', () => {
  expect(redaction.withoutSecrets('acme refused k2 for large-1')).toBe('acme refused *** for large-1')
})

describe('key-like strings', () => {
  test.each([
    ['Incorrect API key provided: sk-proj-abc123.', 'Incorrect API key provided: ***'],
    ['sk-ab***************wxyz and sk_live_1234567890', '*** and ***'],
    ['Authorization: Bearer abc, bearer  x-y', 'Authorization: ***, ***'],
    ['tg_0123456789 whsec_0123456789 gsk_0123456789 AIzaSyA0123456789abcdef', '*** *** *** ***'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln is expired', '*** is expired'],
    ['postgres://user:pass@host/db', 'postgres://***@host/db'],
    [
      `hex ${'0a1b'.repeat(8)}, base64 ${Buffer.from('0123456789abcdefGHIJKLMNOP+/').toString('base64')}`,
      'hex ***, base64 ***',
    ],
    [`base64url ${'aB-_0'.repeat(8)}`, 'base64url ***'],
  ])('are redacted: %s', (text, shown) => {
    expect(withoutKeyLikeTexts(text)).toBe(shown)
  })

  test.each([
    'messages.0.content: expected a string of at most 32768 characters',
    'no call 0b9f6f0e-6c1e-4a65-9b0e-5f2b8f3a7c11 of this company',
    'ChatCompletionRequestSystemMessageContentPart is not allowed',
    'the task-force takes a risk-averse view of disk-space',
    '/v1/organizations/projects/models/instructions',
    '-'.repeat(100),
  ])('are not seen in ordinary texts: %s', (text) => {
    expect(withoutKeyLikeTexts(text)).toBe(text)
  })

  test('of the payment provider are redacted, but its ids stay', () => {
    const text = "No such price: 'price_1NxABCdefGHIjklMNOpqrSTUvwx12345'; key sk_test_1234567890"
    expect(withoutKeys(text)).toBe("No such price: 'price_1NxABCdefGHIjklMNOpqrSTUvwx12345'; key ***")
  })
})

test('no secret, key or name remains in any text around it', () => {
  const hidden = ['acme key 1', 'a-secret-of-ours', 'sk-0123456789', 'acme/large-1', 'Acme', 'api.acme.example']
  const around = fc.string({ unit: 'grapheme', maxLength: 20 })
  fc.assert(
    fc.property(around, fc.constantFrom(...hidden), around, (before, secret, after) => {
      const shown = redaction.forCallers(`${before} ${secret} ${after}`)
      expect(shown.toLowerCase()).not.toContain(secret.toLowerCase())
    }),
  )
})

/** Repetitions that make a backtracking search take quadratic time. */
const HOSTILE = [
  'large-1-',
  'large-1.:-',
  'acme/',
  'acme-',
  'Bearer ',
  'Bearer \t',
  'sk-',
  'sk-a',
  'sk-*.',
  'eyJ',
  'eyJaaaaaaaa.',
  '://',
  '://a',
  '://a:',
  '@',
  'aB0-',
  'a',
  '-',
  '=',
  ' ',
  '\n',
  'é',
  'mini-é',
  'a-secret-of-our',
]

test.each(HOSTILE)('takes time in proportion to the text: %j', (part) => {
  const text = part.repeat(Math.ceil((31 * 1024) / part.length))
  const before = process.threadCpuUsage()
  for (let n = 0; n < 3; n++) redaction.forCallers(`${text}é`)
  const { user, system } = process.threadCpuUsage(before)
  // Quadratic time would be seconds; the slowest takes milliseconds. CPU time does not depend on the load.
  expect((user + system) / 1_000).toBeLessThan(500)
})

import { expect, test } from 'vitest'
import { withoutSecretTexts } from './redact.ts'

test.each([
  ['a key', 'used tg_abcdefgh12345678 today', 'used *** today'],
  ['a token', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-x, sent', 'got ***, sent'],
  ['the first part of a token', 'got eyJhbGciOiJIUzI1NiJ9', 'got ***'],
  ['a password in a URL', 'postgres://ada:pass:word@db:5432/x', 'postgres://ada:***@db:5432/x'],
  ['a password without a user', 'redis://:secret@cache', 'redis://:***@cache'],
  ['a bearer token', 'Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
  ['an address of a mail', 'mailto:ada@example.com', 'mailto:ada@example.com'],
])('%s in a text is redacted, and nothing around it', (_, text, redacted) => {
  expect(withoutSecretTexts(text)).toBe(redacted)
})

test.each(['eyJ-', 'eyJ-aaaaaaaa.', '://', '://a:', 'a:', '://aaaaaaaa', 'tg_', 'sk-a.', 'Bearer '])(
  'a long text of %j is read in time that is proportional to its length',
  (part) => {
    const text = `://${part.repeat(Math.ceil(128_000 / part.length))} @`
    const before = process.threadCpuUsage()
    withoutSecretTexts(text)
    const { user } = process.threadCpuUsage(before)
    // A search that starts over at every part would take ten seconds.
    expect(user / 1_000).toBeLessThan(1_000)
  },
)

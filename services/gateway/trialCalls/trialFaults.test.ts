import { expect, test } from 'vitest'
import { statusFault } from './trialFaults.ts'

test.each([
  [401, '{"error":{"message":"Incorrect API key"}}', /answered 401: it refused its key.* It says: Incorrect API key$/],
  [404, '{"error":"no such model"}', /answered 404: it does not know the address or the model.*no such model$/],
  [429, '', /answered 429: it limits our calls.*limit\.$/],
  [503, '<html>\n\n busy </html>', /answered 503: it has a fault of its own.* It says: <html> busy <\/html>$/],
  [302, 'null', /answered 302: it did not answer with 200\. It says: null$/],
  [418, '{"message":"short and stout"}', /answered 418: .* It says: short and stout$/],
])('a provider that answers %i with %s is explained', (status, text, expected) => {
  expect(statusFault('acme', status, text)).toMatch(expected)
})

test("a provider's long words are cut", () => {
  expect(statusFault('acme', 500, 'x'.repeat(10_000)).length).toBeLessThan(700)
})

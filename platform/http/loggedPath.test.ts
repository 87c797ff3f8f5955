import { expect, test } from 'vitest'
import { loggedPath } from './loggedPath.ts'

test.each([
  ['/llm/v1/models', '/llm/v1/models'],
  ['/session?code=secret', '/session'],
  ['/a\u009b31m\u007f\u001b[2J', '/a%9b31m%7f%1b[2J'],
  ['/\u00e9', '/%e9'],
  [`/${'x'.repeat(10_000)}`, `/${'x'.repeat(199)}`],
  [undefined, '/'],
])('the path of %j is logged as %j', (url, logged) => {
  expect(loggedPath({ url })).toBe(logged)
})

import { expect, test } from 'vitest'
import { pageHeaders } from './pageHeaders.ts'

test('console pages run no inline code, load nothing from elsewhere and cannot be framed', () => {
  const policy = String(pageHeaders('console')['content-security-policy'])
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  for (const rule of ["default-src 'self'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
    expect(policy.split('; ')).toContain(rule)
  }
  for (const rule of ["base-uri 'none'", "form-action 'self'", "object-src 'none'"]) {
    expect(policy.split('; ')).toContain(rule)
  }
})

import { describe, expect, test } from 'vitest'
import type { Log } from '../../../platform/logger/logger.ts'
import { GatewayError } from '../gatewayError.ts'
import { AbandonedStreams, abandonedTokens, writtenTokens } from './abandonedStreams.ts'

const AT = '2026-03-01T23:00:00.500Z'

function limitOf(charged: number, abandoned: number, { shareMax = 0.02, tokensMin = 1_000 } = {}) {
  const lines: unknown[][] = []
  let hits = 0
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Log
  const tokens = { tokensOf: () => ({ charged, abandoned }) }
  const limit = new AbandonedStreams({ tokens, shareMax, tokensMin, log, onHit: () => hits++ })
  const refused = (companyId = 'acme', at = AT, streamed = true): GatewayError | null => {
    try {
      limit.admit(companyId, at, streamed)
      return null
    } catch (error) {
      if (error instanceof GatewayError) return error
      throw error
    }
  }
  return { refused, lines, hits: () => hits }
}

describe('a stream is refused once its company has abandoned more tokens on the day than its limit', () => {
  test.each([
    ['none', 0, 0, false],
    ['as many as the floor', 0, 1_000, false],
    ['more than the floor', 0, 1_001, true],
    ['more than the floor, and the share is smaller', 10_000, 1_001, true],
    ['more than the floor, as many as the share', 100_000, 2_000, false],
    ['more than the share', 100_000, 2_001, true],
  ])('%s', (_, charged, abandoned, isRefused) => {
    expect(limitOf(charged, abandoned).refused() !== null).toBe(isRefused)
  })

  test.each([
    ['more than the floor', 0, 1_001, false],
    ['twice the floor', 0, 2_000, false],
    ['more than twice the floor', 0, 2_001, true],
    ['twice the share', 100_000, 4_000, false],
    ['more than twice the share', 100_000, 4_001, true],
  ])('a call without a stream: %s', (_, charged, abandoned, isRefused) => {
    const refusal = limitOf(charged, abandoned).refused('acme', AT, false)
    expect(refusal !== null).toBe(isRefused)
    if (refusal) expect(refusal.message).toMatch(/^Calls of this company.*to their end\.$/)
  })

  test('a share of 0 leaves the floor, and a floor of 0 the share', () => {
    expect(limitOf(1_000_000, 1_001, { shareMax: 0 }).refused()).not.toBeNull()
    expect(limitOf(1_000, 20, { tokensMin: 0 }).refused()).toBeNull()
    expect(limitOf(1_000, 21, { tokensMin: 0 }).refused()).not.toBeNull()
  })

  test('the refusal is 429 until midnight UTC, and says what was abandoned and what still works', () => {
    const refusal = limitOf(0, 1_234).refused()
    expect(refusal).toMatchObject({ status: 429, error: 'rateLimited', retryAfterSeconds: 3_600 })
    expect(refusal?.message).toContain('1234')
    expect(refusal?.message).toContain('1000')
    expect(limitOf(0, 1_234).refused('acme', '2026-03-01T23:59:59.999Z')).toMatchObject({ retryAfterSeconds: 1 })
    expect(limitOf(0, 1_234).refused('acme', '2026-03-01T00:00:00.000Z')).toMatchObject({ retryAfterSeconds: 86_400 })
  })

  test('the log has one line per company and day, and the metric counts every refusal', () => {
    const { refused, lines, hits } = limitOf(5, 1_234)
    for (const company of ['acme', 'acme', 'other', 'acme']) refused(company)
    refused('acme', '2026-03-02T00:00:00.000Z')
    expect(hits()).toBe(5)
    expect(lines.map(([facts]) => (facts as { companyId: string }).companyId)).toEqual(['acme', 'other', 'acme'])
    expect(lines[0]?.[0]).toEqual({ companyId: 'acme', tokensAbandoned: 1_234, tokensCharged: 5, limit: 1_000 })
  })
})

describe('the abandoned tokens of a call', () => {
  test('are a quarter of the bytes of its body, and the tokens of its answer', () => {
    expect(abandonedTokens({ bodyBytes: 100 }, 5.25)).toBe(31)
  })

  test('are never more than a call may have', () => {
    expect(abandonedTokens({ bodyBytes: 100 }, 1e12)).toBe(100_000_000)
  })

  test('of a non-streamed answer are estimated by time, up to the output limit', () => {
    expect(writtenTokens(1_500, 1_000)).toBe(30)
    expect(writtenTokens(1_500, 7)).toBe(7)
    expect(writtenTokens(-1, 7)).toBe(0)
  })
})

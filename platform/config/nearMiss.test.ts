import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findNearMiss, isOneEditApart } from './config.ts'

/** The optimal string alignment distance, by dynamic programming. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j))
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.NaN
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const row = table[i] as number[]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}

describe('one edit apart', () => {
  test('agrees with the optimal string alignment distance for any two words', () => {
    const word = fc.string({ unit: fc.constantFrom('A', 'B', '_'), maxLength: 7 })
    fc.assert(
      fc.property(word, word, (a, b) => isOneEditApart(a, b) === (distance(a, b) === 1)),
      { numRuns: 2_000 },
    )
  })
})

describe('a near miss', () => {
  test('is found among many names', () => {
    expect(findNearMiss(['PATH', 'HOST', 'IP_RMP'], new Set(['HOST', 'IP_RPM']))).toEqual({
      name: 'IP_RMP',
      meant: 'IP_RPM',
    })
  })

  test('is never a known name itself', () => {
    expect(findNearMiss(['DEMO_KEY_RPM'], new Set(['DEMO_KEY_RPM', 'DEMO_KEY_TPM']))).toBeNull()
  })
})

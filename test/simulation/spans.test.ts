import { expect, test } from 'vitest'
import { hasGap } from './spans.ts'

const span = (fromMs: number, toMs: number) => ({ fromMs, toMs })

test.for([
  ['no span', [], true],
  ['a span that covers all', [span(0, 300)], false],
  ['spans before and after', [span(0, 90), span(210, 300)], true],
  ['a short span at the beginning', [span(90, 140)], true],
  ['a span in the middle', [span(130, 170)], false],
  ['two spans that overlap, the longer one first', [span(90, 190), span(100, 120)], false],
  ['a gap that begins too late', [span(0, 160), span(400, 500)], false],
  ['spans in any order', [span(170, 300), span(0, 110)], true],
] as const)('between 100 and 200, %s: 50 ms are free or not', ([, spans, isFree]) => {
  expect(hasGap(spans, 100, 200, 50)).toBe(isFree)
})

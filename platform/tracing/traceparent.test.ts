import { describe, expect, test } from 'vitest'
import { parseTraceparent } from './openTelemetry.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

describe('a traceparent', () => {
  test('names trace, span and flags', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1 })
  })

  test('of a later version may have further fields', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-00-more`)).toEqual({ traceId: TRACE, spanId: SPAN, flags: 0 })
  })

  test.each([
    '',
    'no traceparent',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    `01-${TRACE}-${SPAN}-01-${'x'.repeat(300)}`,
  ])('that is invalid is ignored: %j', (text) => {
    expect(parseTraceparent(text)).toBeNull()
  })
})

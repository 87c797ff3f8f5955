import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ledgerEvents } from '../../../contracts/events/ledger.ts'
import { charged } from '../../../test/support/events/ledgerEvents.ts'
import { type CallCharge, KEPT_ANSWER_BYTES_MAX, packAnswer, StreamCopy, unpackAnswer } from './keptAnswer.ts'

const charge = { callId: 'a call', amountMicros: '1250000', alias: 'ü' } as CallCharge
const contentType = 'application/json'

describe('an answer', () => {
  test.each([
    ['of bytes that are no text', Buffer.from([0, 255, 128, 10])],
    ['that is empty', Buffer.alloc(0)],
    ['of as much as is kept', Buffer.alloc(KEPT_ANSWER_BYTES_MAX, 'x')],
  ])('%s comes out as it went in, with its charge', (_, bytes) => {
    const kept = unpackAnswer(packAnswer({ contentType, bytes, charge }))
    expect({ ...kept, bytes: null }).toEqual({ contentType, bytes: null, charge })
    expect(kept.bytes?.equals(bytes)).toBe(true)
  })

  test.each([
    ['larger than is kept', Buffer.alloc(KEPT_ANSWER_BYTES_MAX + 1)],
    ['that was not copied to its end', null],
  ])('%s leaves its charge only', (_, bytes) => {
    const packed = packAnswer({ contentType, bytes, charge })
    expect(packed.length).toBeLessThan(1_000)
    expect(unpackAnswer(packed)).toEqual({ contentType, bytes: null, charge })
  })
})

test('an answer that was kept with a charge of version 1 has a charge of the current version', () => {
  const { data } = charged(randomUUID())
  const price = { bookId: data.price.bookId, rates: { input: '2', output: '3' } }
  const current = { ...data, price, lines: null, serviceTier: null, tierFactor: null, abandoned: false }
  const { label: _a, provider: _b, costMicros: _c, costCurrency: _d, ...rest } = current
  const {
    tokensCached: _e,
    tokensCacheWrite: _f,
    lines: _g,
    serviceTier: _h,
    tierFactor: _i,
    abandoned: _j,
    ...first
  } = rest
  const flat = { bookId: price.bookId, inputMicrosPerMillionTokens: '2', outputMicrosPerMillionTokens: '3' }
  const head = Buffer.from(JSON.stringify({ contentType, charge: { ...first, price: flat }, isKept: true }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  const kept = unpackAnswer(Buffer.concat([length, head, Buffer.from('{}')]))
  expect(kept).toEqual({ contentType, charge: current, bytes: Buffer.from('{}') })
  expect(ledgerEvents.CallCharged.isValid(kept.charge)).toBe(true)
})

describe('the copy of a stream', () => {
  test('the copy of a stream has all its pieces, up to the limit', () => {
    const copy = new StreamCopy()
    expect(copy.whole()).toEqual(Buffer.alloc(0))
    copy.add(Buffer.from('one '))
    copy.add(Buffer.from('two'))
    expect(copy.whole()?.toString()).toBe('one two')
    copy.add(Buffer.alloc(KEPT_ANSWER_BYTES_MAX - 7))
    expect(copy.whole()).toHaveLength(KEPT_ANSWER_BYTES_MAX)
  })

  test('beyond the limit there is no copy', () => {
    const copy = new StreamCopy()
    copy.add(Buffer.alloc(KEPT_ANSWER_BYTES_MAX))
    copy.add(Buffer.alloc(1))
    copy.add(Buffer.from('more'))
    expect(copy.whole()).toBeNull()
  })
})

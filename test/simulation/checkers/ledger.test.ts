import { expect, test } from 'vitest'
import { adjusted, charged, failed, granted, reversed } from '../../support/events/ledgerEvents.ts'
import { ledgersWrong } from './ledger.ts'
import { storedStream } from './storedStream.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const LEDGER = `ledger-${COMPANY}` as const
const charge = charged(COMPANY)

test('a ledger with charges, a reversal and corrections is right', () => {
  const [grant, ...rest] = storedStream(LEDGER, granted(COMPANY), charge, failed(COMPANY), reversed(charge))
  if (!grant) throw new Error('no grant')
  const [, , , , correction] = storedStream(
    LEDGER,
    ...[granted(COMPANY), charge, failed(COMPANY), reversed(charge)],
    adjusted(COMPANY, { corrects: grant.id, correction: 1, amountMicros: '-1000000' }),
  )
  if (!correction) throw new Error('no correction')
  expect(ledgersWrong([grant, ...rest, correction])).toBeNull()
})

test('a call that is charged twice is found', () => {
  expect(ledgersWrong(storedStream(LEDGER, charge, charge))).toContain('ended twice')
})

test('a call that is charged and failed is found', () => {
  expect(ledgersWrong(storedStream(LEDGER, charge, failed(COMPANY, { callId: charge.data.callId })))).toContain('twice')
})

test('a charge of another amount than its tokens cost is found', () => {
  const { lines } = charge.data
  const wrong = charged(COMPANY, { amountMicros: '51', lines })
  expect(ledgersWrong(storedStream(LEDGER, wrong))).toContain('costs 50, and not 51')
})

test('a charge that is reversed twice, or not whole, is found', () => {
  expect(ledgersWrong(storedStream(LEDGER, charge, reversed(charge), reversed(charge)))).toContain('reversed twice')
  expect(ledgersWrong(storedStream(LEDGER, charge, reversed(charge, { amountMicros: '1' })))).toContain('reversed with')
})

test('corrections that take more than an entry is worth are found', () => {
  const correction = adjusted(COMPANY, { corrects: charge.data.callId, correction: 1, amountMicros: '51' })
  expect(ledgersWrong(storedStream(LEDGER, charge, correction))).toContain('is worth 1 after its corrections')
})

test('an entry of another company is found', () => {
  expect(ledgersWrong(storedStream('ledger-other', charge))).toContain('for company')
})

import { expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { expired, reinstated, withdrawn } from '../../test/support/events/ledgerEvents.ts'
import { statementLine } from './line.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'

test('credits that expire, are withdrawn or are given back say why, whatever ended the dispute', () => {
  const events = [
    expired(COMPANY),
    withdrawn(COMPANY, { disputeId: 'du_1' }),
    reinstated(COMPANY, { disputeId: 'du_1' }),
    reinstated(COMPANY, { disputeId: null }),
  ]
  const place = { number: 1, id: 'an entry', time: '2026-03-01T10:00:00.000Z', balanceMicros: 0n }
  const lines = history(streamName('ledger', COMPANY), ...events).map((event) => statementLine(event, place))
  expect(lines.map(({ type, description }) => [type, description])).toEqual([
    ['EXPIRY', 'credits that were not used in time'],
    ['DISPUTE', 'withdrawn because of dispute du_1'],
    // Also of a dispute that the bank withdrew, or whose part a refund has taken.
    ['DISPUTE', 'given back from dispute du_1'],
    ['EXPIRY', 'a call that began before the expiry used these credits'],
  ])
})

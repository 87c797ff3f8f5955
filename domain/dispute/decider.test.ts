import { describe, expect, test } from 'vitest'
import type { DisputeEvent, DisputeFacts } from '../../contracts/events/dispute.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { COMPANY, disputeFacts, disputeOpened, second } from '../../test/support/events/billingEvents.ts'
import { fold } from '../decider.ts'
import { type DisputeCommand, disputeDecider, disputedMinor } from './decider.ts'

const given = specificationOf(disputeDecider)
const opened = disputeOpened()
const { payment } = opened.data
const about = { disputeId: 'du_1', companyId: COMPANY }

type Changes = Partial<DisputeFacts>
const report = (n: number, changes: Changes = {}, answer: Changes | null = null): DisputeCommand => ({
  type: 'ReportDispute',
  ...about,
  payment,
  openedAt: second(6),
  facts: disputeFacts(changes),
  saidAt: second(n),
  answer: answer && { facts: disputeFacts(answer), askedAt: second(40) },
})
const event = (
  type: 'DisputeUpdated' | 'DisputeClosed',
  n: number,
  changes: Changes = {},
  askedAt: string | null = null,
): DisputeEvent => ({ type, data: { ...about, facts: disputeFacts(changes), saidAt: second(n), askedAt } })
const closed = (n: number, status: DisputeFacts['status']) => event('DisputeClosed', n, { status })

describe('the report of a dispute', () => {
  test('opens it with its payment, once', () => {
    given().when(report(6)).then(opened)
    given(opened).when(report(6)).thenNothing()
  })

  test('updates it if it is newer, and is ignored if it is older', () => {
    const inReview = event('DisputeUpdated', 8, { status: 'UNDER_REVIEW' })
    given(opened)
      .when(report(8, { status: 'UNDER_REVIEW' }))
      .then(inReview)
    given(opened, inReview).when(report(7)).thenNothing()
  })

  test('without news is recorded, because it outdates reports before it', () => {
    given(opened).when(report(9)).then(event('DisputeUpdated', 9))
    given(opened, event('DisputeUpdated', 9))
      .when(report(8, { amountMinor: '1' }))
      .thenNothing()
  })

  test.each(['WON', 'LOST', 'WITHDRAWN'] as const)(
    'closes it as %s, whatever comes later about its opening',
    (status) => {
      given(opened).when(report(9, { status })).then(closed(9, status))
      given(opened, closed(9, status)).when(report(9, { status })).thenNothing()
      given(opened, closed(9, status)).when(report(20)).thenNothing()
      given(opened, closed(9, status))
        .when(report(20, { status }))
        .then(event('DisputeUpdated', 20, { status }))
    },
  )

  test('that is over when we first hear of it is opened and closed at once', () => {
    const lost = { facts: disputeFacts({ status: 'LOST' }), saidAt: second(9) }
    given()
      .when(report(9, { status: 'LOST' }))
      .then({ ...opened, data: { ...opened.data, ...lost } }, closed(9, 'LOST'))
  })

  test('closes it again if the bank decides otherwise later', () => {
    given(opened, closed(9, 'LOST'))
      .when(report(12, { status: 'WON' }))
      .then(closed(12, 'WON'))
    given(opened, closed(12, 'WON'))
      .when(report(9, { status: 'LOST' }))
      .thenNothing()
  })

  test('that contradicts another one of its second needs the answer of the provider', () => {
    const unclear = report(6, { amountMinor: '500' })
    given(opened)
      .when(unclear)
      .thenThrows('CONFLICT', /has to be asked/)
    given(opened)
      .when(report(6, { amountMinor: '500' }, { amountMinor: '700' }))
      .then(event('DisputeUpdated', 35, { amountMinor: '700' }, second(40)))
  })
})

test('a dispute takes the disputed money while it is open and after it was lost', () => {
  const takes = (...events: DisputeEvent[]) => {
    const state = fold(disputeDecider, events)
    if (state.status === 'unknown') throw new Error('the dispute was opened')
    return disputedMinor(state)
  }
  expect(takes(opened)).toBe('1000')
  expect(takes(opened, event('DisputeUpdated', 9, { amountMinor: '400' }))).toBe('400')
  expect(takes(opened, closed(9, 'LOST'))).toBe('1000')
  expect(takes(opened, closed(9, 'WON'))).toBe('0')
  expect(takes(opened, closed(9, 'WITHDRAWN'))).toBe('0')
  expect(takes(opened, event('DisputeUpdated', 9, { amountMinor: '5', currency: 'eur' }))).toBe('1000')
})

import { describe, expect, test } from 'vitest'
import type { TopUpEvent, TopUpOffReason } from '../../../../contracts/events/topUp.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { MemoryEventStore } from '../../../../test/support/eventStores/memoryEventStore.ts'
import { COMPANY } from '../../../../test/support/events/billingEvents.ts'
import { anEventOf, history } from '../../../../test/support/events/history.ts'
import {
  ATTEMPT,
  topUpConfirmationNeeded,
  topUpDeclined,
  topUpMethodSaved,
  topUpSet,
  topUpStarted,
  topUpSucceeded,
} from '../../../../test/support/events/topUpEvents.ts'
import { mailText } from './mailTexts.ts'
import { isTopUpSo, type TopUpCause, topUpCause } from './topUpMails.ts'

const AT = '2026-03-10T10:00:00.000Z'
const begun = [topUpMethodSaved(), topUpSet(), topUpStarted()]
const off = (reason: TopUpOffReason): TopUpEvent => ({
  type: 'TopUpSwitchedOff',
  data: { companyId: COMPANY, reason, switchedOffBy: null, switchedOffAt: AT },
})
const causesOf = (...events: TopUpEvent[]) =>
  history(streamName('topUp', COMPANY), ...events).flatMap((event) => topUpCause(event) ?? [])
const isSo = (cause: TopUpCause | undefined, ...events: TopUpEvent[]) => {
  const store = new MemoryEventStore()
  store.write(
    streamName('topUp', COMPANY),
    'none',
    events.map((event) => anEventOf(event)),
  )
  return isTopUpSo(store, cause as TopUpCause)
}

test('a confirmation, a decline and the end of top-up are mailed, and nothing else', () => {
  expect(causesOf(...begun, topUpSucceeded(), off('ADMIN'))).toEqual([])
  const kinds = causesOf(topUpConfirmationNeeded(), topUpDeclined(), off('DECLINED')).map(({ kind }) => kind)
  expect(kinds).toEqual(['top_up_confirmation', 'top_up_declined', 'top_up_off'])
})

test('the mail about a confirmation has the amount, the deadline and the link', () => {
  const [cause] = causesOf(topUpConfirmationNeeded())
  const { subject, text } = mailText(cause as TopUpCause, 'Acme')
  expect(subject).toBe('Please confirm a payment of USD 10.00 for Acme')
  expect(text).toContain('Confirm the payment: https://pay.example/confirm/pi_1')
  expect(text).toContain('After 2026-03-11 10:00 UTC it can no longer be confirmed')
})

test('the mail about a decline has its reason, and that about the end says how to go on', () => {
  const [declined, ended] = causesOf(topUpDeclined(), off('DECLINED')).map((cause) => mailText(cause, 'Acme'))
  expect(declined?.text).toContain('was declined: Your card was declined.')
  expect(ended?.subject).toBe('Automatic top-up of Acme is switched off')
  expect(ended?.text).toContain('3 payments in a row')
})

test('the mail about a payment that was given back says that it is not made again', () => {
  const [cause] = causesOf(off('PAYMENT_RETURNED'))
  expect(mailText(cause as TopUpCause, 'Acme').text).toContain('was given back, by a refund or a dispute')
})

describe('a mail is sent only while it is true', () => {
  test('a confirmation until it was given', async () => {
    const [cause] = causesOf(topUpConfirmationNeeded())
    expect(await isSo(cause, ...begun, topUpConfirmationNeeded())).toBe(true)
    expect(await isSo(cause, ...begun, topUpConfirmationNeeded(), topUpSucceeded())).toBe(false)
  })

  test('a decline unless it switched top-up off, which has a mail of its own', async () => {
    const [cause] = causesOf(topUpDeclined())
    expect(await isSo(cause, ...begun, topUpDeclined())).toBe(true)
    expect(await isSo(cause, ...begun, topUpDeclined(), off('DECLINED'))).toBe(false)
    const later = topUpStarted('aaaaaaaa-0000-4000-8000-000000000002')
    expect(await isSo(cause, ...begun, topUpDeclined(ATTEMPT), later, off('DECLINED'))).toBe(true)
  })

  test('the end of top-up until it is set again', async () => {
    const [cause] = causesOf(off('DECLINED'))
    expect(await isSo(cause, ...begun, topUpDeclined(), off('DECLINED'))).toBe(true)
    expect(await isSo(cause, ...begun, topUpDeclined(), off('DECLINED'), topUpSet())).toBe(false)
  })
})

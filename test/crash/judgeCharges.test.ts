import { describe, expect, test } from 'vitest'
import { charged, failed } from '../support/events/ledgerEvents.ts'
import type { LoggedCall } from '../support/parties/recordingProvider.ts'
import type { Outcome } from './chatCall.ts'
import { type Evidence, judge } from './judgeCharges.ts'

const callId = 'c0ffee00-0000-4000-8000-000000000001'
const usage = { tokensIn: 7, tokensOut: 3 }
const whole: Outcome = { marker: 'a call', streamed: false, status: 200, callId, whole: true }
const cut: Outcome = { ...whole, status: null, callId: null, whole: false }
const unstored: Outcome = {
  ...whole,
  status: 503,
  whole: false,
  message: 'Charges cannot be stored at present, so no billed call is accepted. Retry with backoff.',
}
const outdated: Outcome = {
  ...unstored,
  message: 'The prices of this gateway may be outdated, so no billed call is accepted. Retry with backoff.',
}
const complete: LoggedCall = { marker: 'a call', callId, streamed: false, usage, completedAtMs: 1 }
const incomplete: LoggedCall = { ...complete, completedAtMs: null }
const charge = charged('a company', { callId, ...usage })
const failure = failed('a company', { callId })

describe('judge reports a fault for', () => {
  const breaches: [string, Evidence, RegExp][] = [
    ['a whole response without a charge', { outcomes: [whole], ledger: [], log: [complete] }, /has 0 charges/],
    ['two charges', { outcomes: [cut], ledger: [charge, charge], log: [complete] }, /has 2 charges/],
    ['charged and failed', { outcomes: [cut], ledger: [charge, failure], log: [complete] }, /charged and has failed/],
    ['a charge of an answer that broke off', { outcomes: [cut], ledger: [charge], log: [incomplete] }, /not complete/],
    ['a charge of a call that the provider never saw', { outcomes: [cut], ledger: [charge], log: [] }, /not complete/],
    [
      'a charge for other tokens',
      { outcomes: [whole], ledger: [charge], log: [{ ...complete, usage: { tokensIn: 7, tokensOut: 4 } }] },
      /other tokens/,
    ],
    ['a refused call that is charged', { outcomes: [unstored], ledger: [charge], log: [complete] }, /on the ledger/],
    ['a refused call', { outcomes: [{ ...cut, status: 503 }], ledger: [], log: [] }, /answered with 503/],
  ]
  test.each(breaches)('%s', (_, evidence, fault) => {
    expect(judge(evidence).faults).toContainEqual(expect.stringMatching(fault))
  })
})

describe('judge reports no fault for', () => {
  const orders: [string, Evidence][] = [
    ['a whole response with its charge', { outcomes: [whole], ledger: [charge], log: [complete] }],
    ['a process that died between charge and last byte', { outcomes: [cut], ledger: [charge], log: [complete] }],
    ['a process that died before the charge', { outcomes: [cut], ledger: [], log: [complete] }],
    ['a call that was refused while nothing could be stored', { outcomes: [unstored], ledger: [], log: [] }],
    ['a call that was refused while prices were outdated', { outcomes: [outdated], ledger: [], log: [] }],
    ['a provider that failed', { outcomes: [cut], ledger: [failure], log: [incomplete] }],
  ]
  test.each(orders)('%s', (_, evidence) => {
    expect(judge(evidence).faults).toEqual([])
  })
})

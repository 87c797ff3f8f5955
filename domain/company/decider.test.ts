import { describe, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import type { LowBalanceRule } from '../ledger/lowBalanceRule.ts'
import { type CompanyCommand, companyDecider } from './decider.ts'

const given = specificationOf(companyDecider)

const companyId = '11111111-1111-4111-8111-111111111111'
const at = '2026-03-01T10:00:00.000Z'

const register = (name: string): CompanyCommand => ({
  type: 'RegisterCompany',
  companyId,
  name,
  billingMode: 'PREPAID',
  at,
})
const registered: CompanyEvent = {
  type: 'CompanyRegistered',
  data: { companyId, name: 'Acme', billingMode: 'PREPAID', hardCap: false, registeredAt: at },
}
const planId = '55555555-5555-4555-8555-555555555555'
const anotherPlanId = '66666666-6666-4666-8666-666666666666'
const changed = (billingMode: 'PREPAID' | 'POSTPAID', plan: string | null): CompanyEvent => ({
  type: 'BillingModeChanged',
  data: { companyId, billingMode, planId: plan, changedAt: at },
})
const postpaid = changed('POSTPAID', planId)
const capped: CompanyEvent = { type: 'HardCapChanged', data: { companyId, hardCap: true, changedAt: at } }

describe('registering a company', () => {
  test('sets no hard cap and removes blanks around the name', () => {
    given().when(register('  Acme ')).then(registered)
  })

  test('is refused for an existing id', () => {
    given(registered)
      .when(register('Acme'))
      .thenThrows('CONFLICT', /exists already/)
  })

  test.each([
    ['empty', '   '],
    ['too long', 'x'.repeat(NAME_CHARS_MAX + 1)],
    ['on two lines', 'Acme\nInc'],
    ['with a NUL, which no event could keep', 'Ac\u0000me'],
    ['with half a character, which no event could keep', 'Acme \ud83d'],
  ])('is refused for a name that is %s', (_, name) => {
    given()
      .when(register(name))
      .thenThrows('INVALID', /the name of a company/)
  })

  test('accepts a name of the maximum length, in any script', () => {
    const name = '東'.repeat(NAME_CHARS_MAX)
    given()
      .when(register(name))
      .then({ type: 'CompanyRegistered', data: { ...registered.data, name } } as CompanyEvent)
  })
})

describe('the billing mode', () => {
  const change = (billingMode: 'PREPAID' | 'POSTPAID', plan: string | null = null): CompanyCommand => ({
    type: 'ChangeBillingMode',
    companyId,
    billingMode,
    planId: plan,
    at,
  })

  test('changes, POSTPAID with its plan', () => {
    given(registered).when(change('POSTPAID', planId)).then(postpaid)
    given(registered, postpaid).when(change('PREPAID')).then(changed('PREPAID', null))
    given(registered, postpaid).when(change('POSTPAID', anotherPlanId)).then(changed('POSTPAID', anotherPlanId))
  })

  test('POSTPAID needs a plan, unless the company had one before; PREPAID has none', () => {
    given(registered)
      .when(change('POSTPAID'))
      .thenThrows('INVALID', /needs a plan/)
    given(registered, postpaid, changed('PREPAID', null)).when(change('POSTPAID')).then(postpaid)
    given(registered, postpaid)
      .when(change('PREPAID', planId))
      .thenThrows('INVALID', /only a POSTPAID company has a plan/)
  })

  test('changes nothing if it is already set', () => {
    given(registered).when(change('PREPAID')).thenNothing()
    given(registered, postpaid).when(change('POSTPAID')).thenNothing()
    given(registered, postpaid).when(change('POSTPAID', planId)).thenNothing()
  })

  test('can be set at the registration, with a plan', () => {
    const command = { type: 'RegisterCompany', companyId, name: 'Acme', at } as const
    const event: CompanyEvent = { ...registered, data: { ...registered.data, billingMode: 'POSTPAID' } } as CompanyEvent
    given()
      .when({ ...command, billingMode: 'POSTPAID', planId })
      .then(event, postpaid)
    given()
      .when({ ...command, billingMode: 'PREPAID', planId })
      .thenThrows('INVALID', /only a POSTPAID/)
  })

  test('of an unknown company is refused with NOT_FOUND', () => {
    given().when(change('POSTPAID', planId)).thenThrows('NOT_FOUND')
  })
})

describe('the hard cap', () => {
  const change = (hardCap: boolean): CompanyCommand => ({ type: 'ChangeHardCap', companyId, hardCap, at })

  test('is set and removed again', () => {
    given(registered).when(change(true)).then(capped)
    given(registered, capped)
      .when(change(false))
      .then({ type: 'HardCapChanged', data: { companyId, hardCap: false, changedAt: at } })
  })

  test('changes nothing if it is already as requested', () => {
    given(registered).when(change(false)).thenNothing()
    given(registered, capped).when(change(true)).thenNothing()
  })

  test('survives a change of the billing mode', () => {
    given(registered, capped, postpaid).when(change(true)).thenNothing()
  })

  test('of an unknown company is refused with NOT_FOUND', () => {
    given().when(change(true)).thenThrows('NOT_FOUND')
  })
})

test('the payment provider’s customer is assigned once, and replaced when the provider has lost it', () => {
  const assign = { type: 'AssignPaymentCustomer', companyId, customerId: 'cus_1', replaces: null, at } as const
  const assigned = {
    type: 'PaymentCustomerAssigned',
    data: { companyId, customerId: 'cus_1', assignedAt: at },
  } as const
  given(registered).when(assign).then(assigned)
  given(registered, assigned)
    .when({ ...assign, customerId: 'cus_2' })
    .thenNothing()
  given(registered, assigned)
    .when({ ...assign, customerId: 'cus_2', replaces: 'cus_1' })
    .then({ ...assigned, data: { ...assigned.data, customerId: 'cus_2' } })
  given().when(assign).thenThrows('NOT_FOUND')
})

describe('suspending a company', () => {
  const suspend = (reason: string): CompanyCommand => ({ type: 'SuspendCompany', companyId, reason, at })
  const resume: CompanyCommand = { type: 'ResumeCompany', companyId, at }
  const suspended = (reason: string): CompanyEvent => ({
    type: 'CompanySuspended',
    data: { companyId, reason, disputeId: null, suspendedAt: at },
  })
  const resumed: CompanyEvent = { type: 'CompanyResumed', data: { companyId, resumedAt: at } }

  test('records the reason; repeating the same reason records nothing', () => {
    given(registered).when(suspend(' unpaid ')).then(suspended('unpaid'))
    given(registered, suspended('unpaid')).when(suspend('unpaid')).thenNothing()
    given(registered, suspended('unpaid')).when(suspend('fraud')).then(suspended('fraud'))
    given(registered, suspended('unpaid'), resumed).when(suspend('unpaid')).then(suspended('unpaid'))
  })

  test.each(['', ' ', 'x'.repeat(501), 'two\nlines'])('is refused without a proper reason', (reason) => {
    given(registered)
      .when(suspend(reason))
      .thenThrows('INVALID', /reason of a suspension/)
  })

  test('is undone by resuming it, once', () => {
    given(registered, suspended('unpaid')).when(resume).then(resumed)
    given(registered, suspended('unpaid'), resumed).when(resume).thenNothing()
    given(registered).when(resume).thenNothing()
  })

  test('is refused for a company that does not exist', () => {
    given()
      .when(suspend('unpaid'))
      .thenThrows('NOT_FOUND', /no company/)
    given()
      .when(resume)
      .thenThrows('NOT_FOUND', /no company/)
  })
})

describe('the limit of a low balance', () => {
  const set = (lowBalance: LowBalanceRule): CompanyCommand => ({
    type: 'ChangeNoticeSettings',
    companyId,
    lowBalance,
    at,
  })
  const changed = (lowBalance: 'DEFAULT' | 'AMOUNT' | 'OFF', lowBalanceMicros: string | null): CompanyEvent => ({
    type: 'NoticeSettingsChanged',
    data: { companyId, lowBalance, lowBalanceMicros, changedAt: at },
  })

  test('is an amount, off, or the default again', () => {
    given(registered)
      .when(set({ kind: 'AMOUNT', amountMicros: 5n }))
      .then(changed('AMOUNT', '5'))
    given(registered, changed('AMOUNT', '5'))
      .when(set({ kind: 'OFF' }))
      .then(changed('OFF', null))
    given(registered, changed('OFF', null))
      .when(set({ kind: 'DEFAULT' }))
      .then(changed('DEFAULT', null))
  })

  test('that is already in force changes nothing', () => {
    given(registered)
      .when(set({ kind: 'DEFAULT' }))
      .thenNothing()
    given(registered, changed('AMOUNT', '5'))
      .when(set({ kind: 'AMOUNT', amountMicros: 5n }))
      .thenNothing()
  })

  test('must be more than zero', () => {
    given(registered)
      .when(set({ kind: 'AMOUNT', amountMicros: 0n }))
      .thenThrows('INVALID', /limit of a low balance/)
  })
})

describe('the credit limit', () => {
  const limitTo = (limitMicros: bigint | null): CompanyCommand => ({
    type: 'ChangeCreditLimit',
    companyId,
    limitMicros,
    at,
  })
  const limited = (limitMicros: string | null): CompanyEvent => ({
    type: 'CreditLimitChanged',
    data: { companyId, limitMicros, changedAt: at },
  })

  test('is set, changed and removed, each once', () => {
    given(registered).when(limitTo(null)).thenNothing()
    given(registered).when(limitTo(5n)).then(limited('5'))
    given(registered, limited('5')).when(limitTo(5n)).thenNothing()
    given(registered, limited('5')).when(limitTo(7n)).then(limited('7'))
    given(registered, limited('5')).when(limitTo(null)).then(limited(null))
    given(registered, limited('5'), limited(null)).when(limitTo(null)).thenNothing()
  })

  test('is more than zero, and of a registered company', () => {
    given(registered)
      .when(limitTo(0n))
      .thenThrows('INVALID', /a credit limit must be more than zero/)
    given().when(limitTo(5n)).thenThrows('NOT_FOUND')
  })
})

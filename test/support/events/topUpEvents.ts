import type { TopUpEvent } from '../../../contracts/events/topUp.ts'
import { COMPANY, PACK, PURCHASE, USER } from './billingEvents.ts'

export const ATTEMPT = 'aaaaaaaa-0000-4000-8000-000000000001'
const AT = '2026-03-10T10:00:00.000Z'
const AMOUNT = { amountMinor: '1000', currency: 'usd' }

export function topUpMethodSaved(companyId = COMPANY): TopUpEvent {
  const consent = { purchaseId: PURCHASE, agreedBy: USER, savedAt: AT }
  return { type: 'TopUpMethodSaved', data: { companyId, methodId: 'pm_1', customerId: 'cus_1', ...consent } }
}

export function topUpSet(companyId = COMPANY): TopUpEvent {
  const amounts = { thresholdMicros: '50000000', packId: PACK, ceilingMinor: '2500', currency: 'usd' }
  return { type: 'TopUpSet', data: { companyId, ...amounts, setBy: USER, setAt: AT } }
}

export function topUpStarted(attemptId = ATTEMPT, companyId = COMPANY): TopUpEvent {
  const pack = { packId: PACK, creditsMicros: '100000000', price: '10', currency: 'usd', validDays: null }
  return {
    type: 'TopUpStarted',
    data: {
      ...{ companyId, attemptId, purchaseId: PURCHASE, methodId: 'pm_1', customerId: 'cus_1', userId: USER },
      ...{ grantsMicros: '100000000', balanceMicros: '-5', ...pack, amountMinor: '1000' },
      ...{ month: '2026-03', startedAt: AT },
    },
  }
}

export function topUpSucceeded(attemptId = ATTEMPT, companyId = COMPANY): TopUpEvent {
  return { type: 'TopUpSucceeded', data: { companyId, attemptId, paymentIntentId: 'pi_1', succeededAt: AT } }
}

export function topUpDeclined(attemptId = ATTEMPT, companyId = COMPANY): TopUpEvent {
  const reason = 'Your card was declined.'
  const data = { companyId, attemptId, ...AMOUNT, paymentIntentId: 'pi_1', reason, declinedAt: AT }
  return { type: 'TopUpDeclined', data }
}

export function topUpConfirmationNeeded(attemptId = ATTEMPT, companyId = COMPANY): TopUpEvent {
  const page = { confirmUrl: 'https://pay.example/confirm/pi_1', confirmBy: '2026-03-11T10:00:00.000Z' }
  const data = { companyId, attemptId, ...AMOUNT, paymentIntentId: 'pi_1', ...page, askedAt: AT }
  return { type: 'TopUpConfirmationNeeded', data }
}

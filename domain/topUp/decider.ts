import type { TopUpEvent } from '../../contracts/events/topUp.ts'
import { requireAmount } from '../credits.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { monthOf } from '../postpaid/month.ts'
import { minorUnits } from '../price.ts'
import { type Attempt, isRunning } from './attempt.ts'
import { evolve, INITIAL, isNewFall, runningAttempt, spentInMonth, type TopUpState } from './state.ts'

/** This many declined payments in a row switch top-up off. */
export const DECLINES_MAX = 3
/** How long a payment can be confirmed. */
export const CONFIRMATION_MS = 24 * 60 * 60 * 1_000

export type PackOnSale = {
  readonly packId: string
  readonly creditsMicros: string
  readonly price: string
  readonly currency: string
  readonly validDays: number | null
}

type Switched = { readonly companyId: string; readonly userId: string; readonly at: string }
type Ended = { readonly companyId: string; readonly attemptId: string; readonly at: string }

export type TopUpCommand =
  | {
      readonly type: 'SaveMethod'
      readonly companyId: string
      readonly methodId: string
      readonly customerId: string
      readonly purchaseId: string
      readonly userId: string
      readonly at: string
    }
  | {
      readonly type: 'SetTopUp'
      readonly companyId: string
      readonly thresholdMicros: bigint
      readonly pack: PackOnSale
      /** In major units of the currency of the pack. */
      readonly monthlyCeiling: string
      readonly userId: string
      readonly at: string
    }
  | (Switched & { readonly type: 'SwitchOffTopUp' })
  /** A payment was refunded as a whole, or lost in a dispute. */
  | {
      readonly type: 'StopAfterReturn'
      readonly companyId: string
      readonly purchaseId: string
      readonly at: string
    }
  /** Once the payment provider no longer has the method. */
  | (Switched & { readonly type: 'RemoveMethod'; readonly methodId: string })
  | {
      readonly type: 'StartAttempt'
      readonly companyId: string
      readonly attemptId: string
      readonly purchaseId: string
      /** The changes of settings that the attempt is based on. */
      readonly changes: number
      readonly grantsMicros: bigint
      readonly balanceMicros: bigint
      readonly pack: PackOnSale
      readonly at: string
    }
  | (Ended & { readonly type: 'SucceedAttempt'; readonly paymentIntentId: string })
  | (Ended & { readonly type: 'DeclineAttempt'; readonly paymentIntentId: string | null; readonly reason: string })
  | (Ended & {
      readonly type: 'AskForConfirmation'
      readonly paymentIntentId: string
      readonly confirmUrl: string | null
    })
  | (Ended & { readonly type: 'GiveUpAttempt'; readonly reason: string })

export function decide(command: TopUpCommand, state: TopUpState): TopUpEvent[] {
  const { companyId } = command
  switch (command.type) {
    case 'SaveMethod': {
      const { methodId, customerId, purchaseId, userId: agreedBy, at: savedAt } = command
      // A consent is given once: a method that was removed does not come back when its checkout is looked at again.
      if (state.savedBy === purchaseId) return []
      if (state.method?.methodId === methodId && state.method.customerId === customerId) return []
      const data = { companyId, methodId, customerId, purchaseId, agreedBy, savedAt }
      return [{ type: 'TopUpMethodSaved', data }]
    }
    case 'SetTopUp':
      return set(command, state)
    case 'SwitchOffTopUp':
      return switchOff(command, state)
    case 'StopAfterReturn': {
      const { purchaseId, at: switchedOffAt } = command
      const isOfTopUp = state.attempts.some((attempt) => attempt.purchaseId === purchaseId)
      if (state.status === 'off' || !isOfTopUp) return []
      const off = { companyId, reason: 'PAYMENT_RETURNED', switchedOffBy: null, switchedOffAt } as const
      return [{ type: 'TopUpSwitchedOff', data: off }]
    }
    case 'RemoveMethod': {
      const { methodId, userId: removedBy, at: removedAt } = command
      if (state.method?.methodId !== methodId) return []
      const removed: TopUpEvent = { type: 'TopUpMethodRemoved', data: { companyId, methodId, removedBy, removedAt } }
      return [...switchOff(command, state), removed]
    }
    case 'StartAttempt':
      return start(command, state)
    case 'SucceedAttempt': {
      const attempt = attemptOf(state, command.attemptId)
      // Money counts whenever it arrives, also after a decline.
      if (!attempt || attempt.status === 'SUCCEEDED') return []
      const { attemptId, paymentIntentId, at: succeededAt } = command
      return [{ type: 'TopUpSucceeded', data: { companyId, attemptId, paymentIntentId, succeededAt } }]
    }
    case 'DeclineAttempt': {
      const attempt = attemptOf(state, command.attemptId)
      if (!attempt || !isRunning(attempt)) return []
      const { attemptId, paymentIntentId, reason, at } = command
      const data = { companyId, attemptId, ...amountOf(attempt), paymentIntentId, reason, declinedAt: at }
      const declined: TopUpEvent = { type: 'TopUpDeclined', data }
      if (state.status === 'off' || state.declinesInARow + 1 < DECLINES_MAX) return [declined]
      const off = { companyId, reason: 'DECLINED', switchedOffBy: null, switchedOffAt: at } as const
      return [declined, { type: 'TopUpSwitchedOff', data: off }]
    }
    case 'AskForConfirmation': {
      const attempt = attemptOf(state, command.attemptId)
      if (attempt?.status !== 'STARTED') return []
      const { attemptId, paymentIntentId, confirmUrl, at: askedAt } = command
      const confirmBy = new Date(Date.parse(askedAt) + CONFIRMATION_MS).toISOString()
      const data = { companyId, attemptId, ...amountOf(attempt), paymentIntentId, confirmUrl, confirmBy, askedAt }
      return [{ type: 'TopUpConfirmationNeeded', data }]
    }
    case 'GiveUpAttempt': {
      const attempt = attemptOf(state, command.attemptId)
      if (!attempt || !isRunning(attempt)) return []
      const { attemptId, reason, at: givenUpAt } = command
      return [{ type: 'TopUpGivenUp', data: { companyId, attemptId, reason, givenUpAt } }]
    }
    default:
      return unexpected(command)
  }
}

function switchOff({ companyId, userId, at }: Switched, state: TopUpState): TopUpEvent[] {
  if (state.status === 'off') return []
  const by = { reason: 'ADMIN', switchedOffBy: userId, switchedOffAt: at } as const
  return [{ type: 'TopUpSwitchedOff', data: { companyId, ...by } }]
}

function set(command: Extract<TopUpCommand, { type: 'SetTopUp' }>, state: TopUpState): TopUpEvent[] {
  const { companyId, pack, userId, at } = command
  const thresholdMicros = requireAmount(command.thresholdMicros, 'the threshold')
  const ceilingMinor = minorUnits(command.monthlyCeiling, pack.currency)
  if (BigInt(ceilingMinor) < BigInt(minorUnits(pack.price, pack.currency))) {
    const least = `${pack.price} ${pack.currency}`
    throw new Refusal('INVALID', `the monthly ceiling must be at least ${least}, the price of one pack`)
  }
  if (state.method === null) {
    const how = 'buy a pack with savePaymentMethod: true'
    throw new Refusal('INVALID', `the company has no saved payment method; ${how}, then set automatic top-up`)
  }
  const { settings } = state
  const isSame =
    state.status === 'on' &&
    settings?.thresholdMicros === command.thresholdMicros &&
    settings.ceilingMinor === BigInt(ceilingMinor) &&
    settings.packId === pack.packId
  if (isSame) return []
  const { packId, currency } = pack
  const data = { companyId, thresholdMicros, packId, ceilingMinor, currency, setBy: userId, setAt: at }
  return [{ type: 'TopUpSet', data }]
}

/** Decides again what the caller found in read models, which may be behind: no fall of the balance is paid for twice. */
function start(command: Extract<TopUpCommand, { type: 'StartAttempt' }>, state: TopUpState): TopUpEvent[] {
  const { companyId, attemptId, purchaseId, grantsMicros, balanceMicros, pack, at } = command
  const { status, method, settings, changes } = state
  if (status === 'off' || !method || !settings || changes !== command.changes || runningAttempt(state)) return []
  if (balanceMicros >= settings.thresholdMicros || !isNewFall(state, grantsMicros)) return []
  if (pack.packId !== settings.packId || !isWithinCeiling(state, pack, at)) return []
  const { packId, creditsMicros, price, currency, validDays } = pack
  const { methodId, customerId } = method
  const amountMinor = minorUnits(price, currency)
  return [
    {
      type: 'TopUpStarted',
      data: {
        ...{ companyId, attemptId, purchaseId, methodId, customerId, userId: settings.setBy },
        ...{ grantsMicros: grantsMicros.toString(), balanceMicros: balanceMicros.toString() },
        ...{ packId, creditsMicros, price, amountMinor, currency, validDays, month: monthOf(at), startedAt: at },
      },
    },
  ]
}

/** Whether one more pack stays within the ceiling of the month. */
export function isWithinCeiling(state: TopUpState, pack: Pick<PackOnSale, 'price' | 'currency'>, at: string): boolean {
  const { settings } = state
  if (!settings || settings.currency !== pack.currency) return false
  const price = BigInt(minorUnits(pack.price, pack.currency))
  return spentInMonth(state, monthOf(at)) + price <= settings.ceilingMinor
}

function attemptOf({ attempts }: TopUpState, attemptId: string): Attempt | undefined {
  return attempts.find((attempt) => attempt.attemptId === attemptId)
}

function amountOf({ amountMinor, currency }: Attempt) {
  return { amountMinor, currency }
}

export const topUpDecider: Decider<TopUpState, TopUpCommand, TopUpEvent> = {
  initialState: () => INITIAL,
  evolve,
  decide,
}

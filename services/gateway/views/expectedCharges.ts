import type { GatewayViews } from './gatewayViews.ts'

type ExpectingViews = Pick<GatewayViews, 'balances' | 'keys' | 'keySpend'>
type Charge = { readonly companyId: string; readonly keyId: string; readonly admittedAt: string }

/**
 * Counts a charge that is about to be sent against the balance of its company and, if there is one, the budget of its key.
 */
export function expectCharge(
  { balances, keys, keySpend }: ExpectingViews,
  eventId: string,
  { companyId, keyId, admittedAt }: Charge,
  micros: bigint,
  isHeld: boolean,
): void {
  balances.expect(eventId, companyId, -micros, isHeld)
  if (keys.familyOf(keyId)?.budget) keySpend.expect(eventId, { keyId, admittedAt, micros }, isHeld)
}

/** The charge was certainly not stored. */
export function forgetCharge({ balances, keySpend }: Omit<ExpectingViews, 'keys'>, eventId: string): void {
  balances.forget(eventId)
  keySpend.forget(eventId)
}

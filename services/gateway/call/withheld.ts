import { GatewayError } from '../gatewayError.ts'

/** The answer was there, but something that must be stored before it is sent was not. */
export function withheld(notStored: string): GatewayError {
  return new GatewayError('unavailable', `${notStored}, so its answer is withheld. Retry with backoff.`, {
    retryAfterSeconds: 1,
  })
}

export const CHARGE_NOT_STORED = 'The charge for this call could not be stored'

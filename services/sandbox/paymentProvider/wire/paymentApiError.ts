import { HttpError } from '../../../../platform/http/answer/httpError.ts'

export type PaymentApiErrorFacts = {
  readonly status: number
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly decline_code?: string
  /** The payment that was declined. */
  readonly payment_intent?: object
}

/** An error answer of the payment API. */
export class PaymentApiError extends HttpError {
  readonly facts: PaymentApiErrorFacts

  constructor(facts: PaymentApiErrorFacts) {
    super(facts.status, facts.message)
    this.name = 'PaymentApiError'
    this.facts = facts
  }
}

/** An error in the provider's envelope, also if it was thrown outside of the payment API. */
export function paymentErrorBody(error: HttpError): { readonly error: object } {
  if (!(error instanceof PaymentApiError)) {
    const type = error.status < 500 ? 'invalid_request_error' : 'api_error'
    return { error: { type, message: error.message } }
  }
  const { status: _, ...facts } = error.facts
  return { error: facts }
}

/** The object that `param` names does not exist: 404 if it is the object in the path, or else 400. */
export function missingResource(what: string, id: string, param: string, status: 400 | 404 = 400): PaymentApiError {
  return new PaymentApiError({
    status,
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })
}

export function invalidParam(param: string, message: string, code = 'parameter_invalid'): PaymentApiError {
  return new PaymentApiError({ status: 400, type: 'invalid_request_error', code, message, param })
}

/** The request is well formed, but not possible in the current state of its object. */
export function invalidState(message: string, code?: string): PaymentApiError {
  return new PaymentApiError({
    status: 400,
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
  })
}

export type PaymentApiErrorFacts = {
  readonly status: number
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly decline_code?: string
}

/** An answer in the provider's error envelope. */
export class PaymentApiError extends Error {
  readonly facts: PaymentApiErrorFacts

  constructor(facts: PaymentApiErrorFacts) {
    super(facts.message)
    this.name = 'PaymentApiError'
    this.facts = facts
  }

  get body() {
    const { status: _, ...error } = this.facts
    return { error }
  }
}

/** The request names, in `param`, something that is not there; 404 when it is the thing asked for. */
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

/** What was asked is well formed, but cannot be done in the state that things are in. */
export function invalidState(message: string, code?: string): PaymentApiError {
  return new PaymentApiError({
    status: 400,
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
  })
}

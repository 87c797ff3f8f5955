export type RefusalFacts = {
  readonly status: number
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly decline_code?: string
}

/** An answer in the provider's error envelope. */
export class Refusal extends Error {
  readonly facts: RefusalFacts

  constructor(facts: RefusalFacts) {
    super(facts.message)
    this.name = 'Refusal'
    this.facts = facts
  }

  get body() {
    const { status: _, ...error } = this.facts
    return { error }
  }
}

/** The request names, in `param`, something that is not there; 404 when it is the thing asked for. */
export function noSuch(what: string, id: string, param: string, status: 400 | 404 = 400): Refusal {
  return new Refusal({
    status,
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })
}

export function badParam(param: string, message: string, code = 'parameter_invalid'): Refusal {
  return new Refusal({ status: 400, type: 'invalid_request_error', code, message, param })
}

/** What was asked is well formed, but cannot be done in the state that things are in. */
export function cannot(message: string, code?: string): Refusal {
  return new Refusal({ status: 400, type: 'invalid_request_error', message, ...(code === undefined ? {} : { code }) })
}

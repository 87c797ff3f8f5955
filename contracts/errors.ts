/** The only place where an error code of the gateway is spelled. */
export const GATEWAY_ERRORS = {
  invalidRequest: { status: 400, type: 'invalid_request_error', code: 'INVALID_REQUEST' },
  unauthenticated: { status: 401, type: 'authentication_error', code: null },
  insufficientCredits: { status: 402, type: 'insufficient_quota', code: 'INSUFFICIENT_CREDITS' },
  creditLimitExceeded: { status: 402, type: 'insufficient_quota', code: 'CREDIT_LIMIT_EXCEEDED' },
  keyBudgetExceeded: { status: 402, type: 'insufficient_quota', code: 'KEY_BUDGET_EXCEEDED' },
  modelNotAllowed: { status: 403, type: 'permission_error', code: 'LLM_MODEL_NOT_ALLOWED' },
  scopeDenied: { status: 403, type: 'permission_error', code: 'LLM_SCOPE_DENIED' },
  planLimitExceeded: { status: 403, type: 'permission_error', code: 'PLAN_LIMIT_EXCEEDED' },
  companySuspended: { status: 403, type: 'permission_error', code: 'COMPANY_SUSPENDED' },
  originDenied: { status: 403, type: 'permission_error', code: null },
  unknownCall: { status: 404, type: 'not_found_error', code: null },
  unknownRoute: { status: 404, type: 'not_found_error', code: null },
  bodyTooSlow: { status: 408, type: 'invalid_request_error', code: 'INVALID_REQUEST' },
  idempotencyInProgress: { status: 409, type: 'idempotency_error', code: 'IDEMPOTENCY_IN_PROGRESS' },
  idempotencyKeyReused: { status: 409, type: 'idempotency_error', code: 'IDEMPOTENCY_KEY_REUSED' },
  answerNotKept: { status: 409, type: 'idempotency_error', code: 'IDEMPOTENCY_ANSWER_NOT_KEPT' },
  bodyTooLarge: { status: 413, type: 'invalid_request_error', code: 'INVALID_REQUEST' },
  bodyEncoded: { status: 415, type: 'invalid_request_error', code: 'INVALID_REQUEST' },
  rateLimited: { status: 429, type: 'rate_limit_error', code: null },
  ledgerMismatch: { status: 500, type: 'api_error', code: 'LEDGER_MISMATCH' },
  parseFailed: { status: 502, type: 'api_error', code: 'LLM_PARSE_FAILED' },
  answerTooLarge: { status: 502, type: 'api_error', code: 'LLM_ANSWER_TOO_LARGE' },
  unavailable: { status: 503, type: 'api_error', code: 'LLM_GATEWAY_UNAVAILABLE' },
} as const satisfies Record<string, { status: number; type: string; code: string | null }>

export type GatewayErrorName = keyof typeof GATEWAY_ERRORS

/** The same request will always fail; such an answer has `x-should-retry: false`. */
export const NEVER_RETRIED: ReadonlySet<GatewayErrorName> = new Set([
  'idempotencyKeyReused',
  'answerNotKept',
  'answerTooLarge',
])

/** Codes of providers that callers get unchanged, because clients act on them, with the refusal they belong to. */
export const PROVIDER_CODES = {
  context_length_exceeded: 'invalidRequest',
  invalid_prompt: 'invalidRequest',
  content_filter: 'invalidRequest',
  content_policy_violation: 'invalidRequest',
  rate_limit_exceeded: 'rateLimited',
} as const satisfies Record<string, GatewayErrorName>

export type ProviderCode = keyof typeof PROVIDER_CODES

export type ErrorEnvelope = {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: string | null
    /** The field that the model does not accept, or that the provider refused; absent in other errors. */
    readonly param?: string
  }
}

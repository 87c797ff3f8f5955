import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../../../platform/clock/clock.ts'
import { jsonReply } from '../../../../platform/http/answer/reply.ts'
import { bearerToken } from '../../../../platform/http/bearerToken.ts'
import { bytesBody } from '../../../../platform/http/body/bodyReaders.ts'
import { anyQuery, type Envelope, type Route, route } from '../../../../platform/http/route.ts'
import type { ProviderContext } from '../providerContext.ts'
import { expanded } from './expand.ts'
import { decodeForm, FORM_CONTENTS, type Form, PAYMENT_BODY_BYTES_MAX } from './formBody.ts'
import { type Answer, fingerprintOf, replayOf } from './idempotency.ts'
import { readParams, text } from './params.ts'
import { PaymentApiError, paymentErrorBody } from './paymentApiError.ts'
import type { PaymentOperation } from './paymentOperation.ts'

export const API_VERSION = '2023-10-16'

const expansions = z.looseObject({ expand: z.array(text).max(20, 'has more than 20 paths').optional() })

/** Codes of requests that were refused before they were tried. Such an answer is not kept for its idempotency key. */
const UNTRIED = /^parameter_/

/** The operations of the payment API as routes, with its access, its idempotency and its error envelope. */
export function paymentApiRoutes(
  context: ProviderContext,
  operations: readonly PaymentOperation[],
  clock: Clock,
): readonly Route[] {
  const headers = () => ({
    'request-id': context.newId('request'),
    'stripe-version': API_VERSION,
    server: 'tollgate-sandbox',
  })
  const envelope: Envelope = (error) =>
    jsonReply(error.status, paymentErrorBody(error), { ...error.headers, ...headers() })

  return [...operations.map(operationRoute), unknownUrl()]

  function operationRoute(operation: PaymentOperation): Route {
    const { method, path } = operation
    return route({
      method,
      path,
      access: 'key',
      summary: `${method} ${path} of the payment API`,
      query: anyQuery,
      body: bytesBody(FORM_CONTENTS, PAYMENT_BODY_BYTES_MAX),
      envelope,
      handle: ({ request, body, params: { id = '' } }) => {
        const key = method === 'GET' ? undefined : request.headers['idempotency-key']?.toString()
        const form = method === 'POST' ? body.toString() : ((request.url ?? '').split('?', 2)[1] ?? '')
        const { status, body: answer, isReplay } = answerOnce(operation, id, form, key)
        return jsonReply(status, answer, {
          ...headers(),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(isReplay ? { 'idempotent-replayed': 'true' } : {}),
        })
      },
    })
  }

  /** Unknown URLs are refused in the provider's envelope, too. */
  function unknownUrl(): Route {
    return route({
      method: 'ALL',
      path: '/v1/*path',
      access: 'key',
      summary: 'Every other URL of the payment API',
      query: anyQuery,
      envelope,
      handle: ({ request: { method, url = '/' } }) => {
        throw new PaymentApiError({
          status: 404,
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${method}: ${url.split('?', 1)[0]}). The sandbox's README lists the URLs that it serves.`,
        })
      },
    })
  }

  /** The effect and the answer to be repeated are one transaction: a crash cannot come between them. */
  function answerOnce(
    operation: PaymentOperation,
    id: string,
    form: string,
    key: string | undefined,
  ): Answer & { isReplay: boolean } {
    const { state } = context
    if (key === undefined) return { ...state.transact(() => answerTo(operation, id, form)), isReplay: false }
    const fingerprint = fingerprintOf(operation.method, `${operation.path} ${id}`, form)
    const replay = replayOf(state, key, fingerprint, clock.now())
    if (replay) return { ...replay, isReplay: true }
    const keep = (answer: Answer) =>
      state.put('replay', { id: key, fingerprint, atMs: clock.now(), status: answer.status, body: answer.body })
    try {
      return state.transact(() => {
        const answer = answerTo(operation, id, form)
        keep(answer)
        return { ...answer, isReplay: false }
      })
    } catch (error) {
      if (error instanceof PaymentApiError && !UNTRIED.test(error.facts.code ?? '')) {
        state.transact(() => keep({ status: error.status, body: paymentErrorBody(error) }))
      }
      throw error
    }
  }

  function answerTo(operation: PaymentOperation, id: string, form: string): Answer {
    const { expand, ...params } = decodeForm(form)
    const paths = readParams(expansions, expand === undefined ? {} : { expand }).expand ?? []
    const outcome = operation.handle(context, params as Form, id)
    if (outcome instanceof PaymentApiError) return { status: outcome.status, body: paymentErrorBody(outcome) }
    return { status: 200, body: expanded(context, outcome, paths) }
  }
}

/** Refuses requests without a test key, or with another API version than the sandbox's. */
export function requirePaymentKey(request: IncomingMessage): void {
  const key = bearerToken(request)
  const refusal = (message: string, status = 401) =>
    new PaymentApiError({ status, type: 'invalid_request_error', message })
  if (key === null) {
    throw refusal(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (key.startsWith('sk_live_')) throw refusal('This is a sandbox: a live key must never be sent to it.')
  if (!key.startsWith('sk_')) throw refusal(`Invalid API Key provided: ${key.slice(0, 3)}***`)
  const version = request.headers['stripe-version']
  if (version !== undefined && version !== API_VERSION) {
    throw refusal(`Invalid Stripe API version: ${version}. This sandbox speaks ${API_VERSION}.`, 400)
  }
}

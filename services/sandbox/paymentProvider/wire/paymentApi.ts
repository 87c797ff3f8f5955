import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock/clock.ts'
import { sendJson } from '../../../platform/http/answers.ts'
import { bearerToken } from '../../../platform/http/bearerToken.ts'
import { readBody } from '../../../platform/http/requestBody.ts'
import type { ProviderContext } from '../providerContext.ts'
import { expanded } from './expand.ts'
import { decodeForm, type Form, PAYMENT_BODY_BYTES_MAX } from './formBody.ts'
import { type Answer, fingerprintOf, replayOf } from './idempotency.ts'
import { readParams, text } from './params.ts'
import { PaymentApiError } from './paymentApiError.ts'
import { type ApiRoute, type FoundRoute, findRoute } from './route.ts'

export const API_VERSION = '2023-10-16'

const expansions = z.looseObject({ expand: z.array(text).max(20, 'has more than 20 paths').optional() })

/** Refused before anything was tried: such an answer is not kept for its idempotency key. */
const UNTRIED = /^parameter_/

/** The payment API on HTTP: who asks, what for, once or again, and the answer in the provider's form. */
export function paymentApi(context: ProviderContext, routes: readonly ApiRoute[], clock: Clock) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = {
      'request-id': context.newId('request'),
      'stripe-version': API_VERSION,
      server: 'tollgate-sandbox',
    }
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
    try {
      requireAccess(request)
      const found = findRoute(routes, request.method ?? '', path)
      if (!found) throw unknownUrl(request.method ?? '', path)
      const body = await readBody(request, PAYMENT_BODY_BYTES_MAX)
      if (!Buffer.isBuffer(body)) throw new PaymentApiError({ ...tooLarge, message: `The request body is ${body}.` })
      const key = request.method === 'GET' ? undefined : request.headers['idempotency-key']?.toString()
      const asked = request.method === 'POST' ? body.toString() : query
      const { status, body: answer, isReplay } = answerOnce(found, asked, key)
      sendJson(response, status, answer, {
        ...headers,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(isReplay ? { 'idempotent-replayed': 'true' } : {}),
      })
    } catch (error) {
      if (!(error instanceof PaymentApiError)) throw error
      sendJson(response, error.facts.status, error.body, headers)
    }
  }

  /** The effect and the answer to be repeated are one change: a crash cannot come between them. */
  function answerOnce(found: FoundRoute, asked: string, key: string | undefined): Answer & { isReplay: boolean } {
    if (key === undefined) return { ...context.state.transact(() => answerTo(found, asked)), isReplay: false }
    const fingerprint = fingerprintOf(found.route.method, `${found.route.path} ${found.id}`, asked)
    const replay = replayOf(context.state, key, fingerprint, clock.now())
    if (replay) return { ...replay, isReplay: true }
    const keep = (answer: Answer) =>
      context.state.put('replay', { id: key, fingerprint, atMs: clock.now(), status: answer.status, body: answer.body })
    try {
      return context.state.transact(() => {
        const answer = answerTo(found, asked)
        keep(answer)
        return { ...answer, isReplay: false }
      })
    } catch (error) {
      if (error instanceof PaymentApiError && !UNTRIED.test(error.facts.code ?? '')) {
        context.state.transact(() => keep({ status: error.facts.status, body: error.body }))
      }
      throw error
    }
  }

  function answerTo({ route, id }: FoundRoute, asked: string): Answer {
    const { expand, ...params } = decodeForm(asked)
    const paths = readParams(expansions, expand === undefined ? {} : { expand }).expand ?? []
    const outcome = route.handle(context, params as Form, id)
    if (outcome instanceof PaymentApiError) return { status: outcome.facts.status, body: outcome.body }
    return { status: 200, body: expanded(context, outcome, paths) }
  }
}

const tooLarge = { status: 413, type: 'invalid_request_error' } as const

function requireAccess(request: IncomingMessage): void {
  const key = bearerToken(request)
  const refuse = (message: string, status = 401) =>
    new PaymentApiError({ status, type: 'invalid_request_error', message })
  if (key === null) {
    throw refuse(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (key.startsWith('sk_live_')) throw refuse('This is a sandbox: a live key must never be sent to it.')
  if (!key.startsWith('sk_')) throw refuse(`Invalid API Key provided: ${key.slice(0, 3)}***`)
  const version = request.headers['stripe-version']
  if (version !== undefined && version !== API_VERSION) {
    throw refuse(`Invalid Stripe API version: ${version}. This sandbox speaks ${API_VERSION}.`, 400)
  }
}

function unknownUrl(method: string, path: string): PaymentApiError {
  return new PaymentApiError({
    status: 404,
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The sandbox's README lists what it has.`,
  })
}

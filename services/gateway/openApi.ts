import { z } from 'zod'
import { GATEWAY_ERRORS, PROVIDER_CODES } from '../../contracts/errors.ts'
import { type OpenApiDocument, openApiDocument } from '../../platform/http/commonRoutes/openApiDocument.ts'
import type { Route } from '../../platform/http/route.ts'
import type { RequestContext } from './requestContext.ts'

const ownCodes = [...new Set(Object.values(GATEWAY_ERRORS).map(({ code }) => code))].filter((code) => code !== null)

const error = z.object({
  message: z.string(),
  type: z.enum([...new Set(Object.values(GATEWAY_ERRORS).map(({ type }) => type))]),
  code: z.enum([...ownCodes, ...Object.keys(PROVIDER_CODES)]).nullable(),
  param: z.string().optional().describe('The field that the model does not accept, or that its refusal is about.'),
})

const errorEnvelope = z.object({ error }).meta({ id: 'GatewayError' })

/** The errors of /messages. */
export const messagesErrorEnvelope = z.object({ type: z.literal('error'), error }).meta({ id: 'MessagesError' })

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'the body or a parameter is invalid; the message names the field',
  401: 'the key is missing, unknown, revoked or expired',
  403: 'the key lacks the scope or the model, an invoice is overdue, or the company is suspended',
  429: 'a limit is reached; retry-after says when to retry',
  503: 'no provider answered, too many requests are in flight, or a charge could not be stored; retry after retry-after',
}

/** Only requests with a body are refused with these. */
const BODY_REFUSALS: Readonly<Record<number, string>> = {
  402: "a PREPAID company's balance is at or below zero",
  408: 'the body did not arrive in time',
  409: 'the Idempotency-Key was used for another request, or its first request has not ended',
  413: 'the body is too large',
  415: 'the body is compressed',
  422: 'the provider refuses the request',
  502: 'the model gave no valid profile, or its answer is larger than the gateway accepts',
}

/** The document of the REST routes, made from the routes. The MCP tools describe themselves. */
export function gatewayDocument(routes: readonly Route<RequestContext>[]): OpenApiDocument {
  return openApiDocument(routes, {
    title: 'Tollgate gateway',
    description: 'Model calls over chat completions, Responses and Messages, each charged to a credit balance.',
    error: errorEnvelope,
    refusals: ({ body }) => (body ? { ...REFUSALS, ...BODY_REFUSALS } : REFUSALS),
  })
}

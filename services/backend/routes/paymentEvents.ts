import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Runtime } from '../../../capabilities/installation.ts'
import { headerFault, signatureFault } from '../../../capabilities/payments/paymentEventSignature.ts'
import { API_VERSION, type PaymentEventBody, paymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import { receivePaymentEvent } from '../../../capabilities/payments/receivePaymentEvent.ts'
import { isPaymentEventType } from '../../../contracts/events/paymentEvent.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { textReply } from '../../../platform/http/answer/reply.ts'
import { type BodyReader, BodyRefused, wholeBody } from '../../../platform/http/body/bodyReaders.ts'
import { JSON_DEPTH_MAX } from '../../../platform/http/body/jsonScan.ts'
import type { BodyFault } from '../../../platform/http/body/requestBody.ts'
import { InFlight } from '../../../platform/http/limits/inFlight.ts'
import { anyQuery, type Envelope, route } from '../../../platform/http/route.ts'

const PAYMENT_EVENT_BYTES_MAX = 512 * 1024
/** An event has at most some hundred lines of an invoice, with some thirty values each. */
const PAYMENT_EVENT_VALUES_MAX = 30_000
const JSON_LIMITS = { valuesMax: PAYMENT_EVENT_VALUES_MAX }
const PAYMENT_EVENTS_IN_FLIGHT_MAX = 500
const RETRY_AFTER_SECONDS = 5
const NO_SIGNATURE = 'No valid stripe-signature header'

const answer = z.object({
  received: z.literal(true),
  duplicate: z.literal(true).optional().meta({ description: 'The event was received before; nothing changed' }),
  ignored: z.literal(true).optional().meta({ description: 'The event is not of a type that is handled' }),
})

/** Requests that the payment provider did not sign are refused before their content is read. */
export const paymentEventRoute = (runtime: Pick<Runtime, 'engines' | 'secrets' | 'clock' | 'log'>) =>
  route({
    method: 'POST',
    path: '/payments/webhook',
    access: 'public',
    tag: 'Payments',
    summary: 'Receives an event of the payment provider',
    query: anyQuery,
    body: signedBytes(runtime),
    bodyProvesSender: true,
    traced: true,
    answer,
    inFlight: new InFlight(PAYMENT_EVENTS_IN_FLIGHT_MAX),
    envelope,
    handle: async ({ body: bytes }) => {
      const event = eventIn(bytes)
      if (!isPaymentEventType(event.type)) return { received: true as const, ignored: true as const }
      const outcome = await stored(runtime, { ...event, type: event.type }, bytes)
      return { received: true as const, ...(outcome === 'repeated' ? { duplicate: true as const } : {}) }
    },
  })

/** Plain text, as the provider shows it in its list of deliveries. 503 makes it send the event again. */
const envelope: Envelope = ({ status, message, headers }) => {
  const retry = status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}
  return textReply(status, `Webhook Error: ${message}`, { ...headers, ...retry })
}

/** The signature covers the bytes as they were sent, so they are not parsed before it is checked. */
function signedBytes({ secrets, clock }: Pick<Runtime, 'secrets' | 'clock'>): BodyReader<Buffer> {
  return {
    contents: { 'application/json': { schema: paymentEventBody } },
    read: async (request, place) => {
      const header = signatureHeader(request)
      if (Number(request.headers['content-length'] ?? 0) > PAYMENT_EVENT_BYTES_MAX) throw tooLarge()
      // The body is not read if the signature cannot be valid.
      requireSignature(headerFault(header))
      const bytes = await wholeBody(request, PAYMENT_EVENT_BYTES_MAX, place, JSON_LIMITS).catch(refuse)
      requireSignature(signatureFault(bytes, header, secrets.webhookSecret, clock.now()))
      return bytes
    },
  }
}

function requireSignature(fault: string | null): void {
  if (fault !== null) throw new HttpError(400, `${NO_SIGNATURE}: ${fault}`)
}

function tooLarge(): HttpError {
  return new HttpError(413, `an event has at most ${PAYMENT_EVENT_BYTES_MAX} bytes`)
}

function refuse(error: unknown): never {
  if (!(error instanceof BodyRefused) || error.fault === 'slow') throw error
  if (error.fault === 'too large') throw tooLarge()
  throw new HttpError(400, `${NO_SIGNATURE}: ${UNREADABLE[error.fault]}`)
}

const UNREADABLE: Readonly<Record<Exclude<BodyFault, 'too large' | 'slow'>, string>> = {
  encoded: 'the body is compressed',
  aborted: 'the body is not whole',
  'too many chunks': 'the body is sent in too many small chunks',
  'too deep': `the body is nested more than ${JSON_DEPTH_MAX} levels deep`,
  'too many values': `the body has more than ${PAYMENT_EVENT_VALUES_MAX} values`,
}

/** Node joins a header that was sent twice. It then has two timestamps, which is refused. */
function signatureHeader({ headers }: IncomingMessage): string | undefined {
  const header = headers['stripe-signature']
  return Array.isArray(header) ? header.join(',') : header
}

function eventIn(bytes: Buffer): PaymentEventBody {
  const event = parsed(bytes)
  if (event.api_version !== API_VERSION) {
    const version = String(event.api_version).slice(0, 50)
    throw new HttpError(400, `the event is of API version ${version}, this endpoint of ${API_VERSION}`)
  }
  return event
}

function parsed(bytes: Buffer): PaymentEventBody {
  const { data, error } = paymentEventBody.safeParse(jsonIn(bytes))
  if (data) return data
  const wrong = new Set(error.issues.map(({ path }) => String(path[0] ?? '')))
  const fields = wrong.has('') ? '' : `, because of ${[...wrong].join(', ')}`
  throw new HttpError(400, `the body is not an event object${fields}`)
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

async function stored(
  runtime: Pick<Runtime, 'engines' | 'clock' | 'log'>,
  event: Parameters<typeof receivePaymentEvent>[1],
  bytes: Buffer,
): Promise<'stored' | 'repeated'> {
  const outcome = await receivePaymentEvent(runtime, event, bytes.toString()).catch((error: unknown) => {
    runtime.log.error({ err: error, webhook: event.id }, 'webhook event could not be stored')
    throw new HttpError(503, 'the event could not be stored; send it again later')
  })
  if (outcome === 'too large') throw new HttpError(413, 'the event is too large to be stored')
  return outcome
}

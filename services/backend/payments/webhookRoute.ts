import type { IncomingMessage, ServerResponse } from 'node:http'
import { isWebhookType } from '../../../contracts/events/webhook.ts'
import { sendBytes, sendJson } from '../../platform/http/answers.ts'
import { discardBody, readBody } from '../../platform/http/requestBody.ts'
import type { ServiceRoute } from '../../platform/http/serviceRoutes.ts'
import { API_VERSION } from '../../platform/payments/paymentProvider.ts'
import { type WebhookBody, webhookBody } from '../../platform/payments/providerObjects.ts'
import { signatureFault } from '../../platform/payments/webhookSignature.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { receiveWebhook } from './receiveWebhook.ts'

const WEBHOOK_BODY_BYTES_MAX = 512 * 1024
const WEBHOOKS_RECEIVING_MAX = 500

type Parts = Pick<Runtime, 'engines' | 'secrets' | 'clock' | 'log'>

/** `POST /payments/webhook`. Whatever is not signed by the provider is refused before anything of it is read. */
export function webhookRoute(parts: Parts): ServiceRoute {
  let underWay = 0
  return {
    access: 'public',
    handle: async (request, response) => {
      if (underWay >= WEBHOOKS_RECEIVING_MAX) {
        return refuse(request, response, 503, 'too many events at once; send it again later')
      }
      underWay++
      try {
        await answer(parts, request, response)
      } finally {
        underWay--
      }
    },
  }
}

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { secrets, clock, log } = parts
  const bytes = await readBody(request, WEBHOOK_BODY_BYTES_MAX)
  if (bytes === 'too large') {
    return refuse(request, response, 413, `an event has at most ${WEBHOOK_BODY_BYTES_MAX} bytes`)
  }
  if (typeof bytes === 'string') {
    return refuse(
      request,
      response,
      400,
      `${NO_SIGNATURE}: the body is ${bytes === 'encoded' ? 'compressed' : 'not whole'}`,
    )
  }
  const header = request.headers['stripe-signature']
  const fault = signatureFault(bytes, headerText(header), secrets.webhookSecret, clock.now())
  if (fault !== null) return refuse(request, response, 400, `${NO_SIGNATURE}: ${fault}`)
  const event = read(bytes)
  if (!event) return refuse(request, response, 400, 'the body is no event')
  if (event.api_version !== API_VERSION) {
    const version = String(event.api_version).slice(0, 50)
    return refuse(request, response, 400, `the event is of API version ${version}, this endpoint of ${API_VERSION}`)
  }
  const { type } = event
  if (!isWebhookType(type)) return sendJson(response, 200, { received: true, ignored: true })
  const outcome = await receiveWebhook(parts, { ...event, type }, bytes.toString()).catch((error: unknown) => {
    log.error({ err: error, webhook: event.id }, 'a webhook event could not be stored')
    return 'not stored' as const
  })
  switch (outcome) {
    case 'not stored':
      return refuse(request, response, 503, 'the event could not be stored; send it again later')
    case 'too large':
      return refuse(request, response, 413, 'the event is too large to be kept')
    case 'repeated':
      return sendJson(response, 200, { received: true, duplicate: true })
    case 'stored':
      return sendJson(response, 200, { received: true })
  }
}

const NO_SIGNATURE = 'No valid stripe-signature header'

/** Sent twice, Node joins it; then it has two timestamps, and that is refused. */
function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header
}

function read(bytes: Buffer): WebhookBody | null {
  try {
    return webhookBody.parse(JSON.parse(bytes.toString()))
  } catch {
    return null
  }
}

async function refuse(request: IncomingMessage, response: ServerResponse, status: number, why: string): Promise<void> {
  const passed = discardBody(request)
  const retry = status === 503 ? { 'retry-after': '5' } : {}
  sendBytes(response, status, 'text/plain; charset=utf-8', Buffer.from(`Webhook Error: ${why}`), retry)
  if (!(await passed)) request.destroy()
}

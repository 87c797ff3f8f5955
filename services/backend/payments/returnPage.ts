import { sendBytes } from '../../platform/http/answers.ts'
import type { ServiceRoute } from '../../platform/http/serviceRoutes.ts'

const SAID = {
  paid: 'Thank you. Your payment was made; credits arrive as soon as the payment provider confirms it.',
  canceled: 'Nothing was paid. You can close this page, or go back and try again.',
} as const

/** Where the provider's checkout page leads to in an installation that names no page of its own for it. */
export const returnPage: ServiceRoute = {
  access: 'public',
  handle: (request, response) => {
    const outcome = new URL(request.url ?? '/', 'http://backend').searchParams.get('outcome')
    const text = outcome === 'paid' ? SAID.paid : SAID.canceled
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tollgate</title><p>${text}</p></html>`
    sendBytes(response, 200, 'text/html; charset=utf-8', Buffer.from(page), {
      'content-security-policy': "default-src 'none'",
    })
  },
}

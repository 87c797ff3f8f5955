import { htmlReply } from '../../../platform/http/answer/reply.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { pageHeaders } from '../pageHeaders.ts'

const MESSAGES = {
  paid: 'Thank you. Your payment was made; credits arrive as soon as the payment provider confirms it.',
  canceled: 'Nothing was paid. You can close this page, or go back and try again.',
} as const

/** The page has nothing to load, and no other site may show it as its own. */
const HEADERS = {
  ...pageHeaders('console'),
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** Where the provider's checkout page leads in an installation that names no page of its own for it. */
export const paymentReturn = route({
  method: 'GET',
  path: '/payments/return',
  access: 'public',
  summary: 'The page that a checkout returns to',
  query: anyQuery,
  handle: ({ request }) => {
    const outcome = new URL(request.url ?? '/', 'http://backend').searchParams.get('outcome')
    const text = outcome === 'paid' ? MESSAGES.paid : MESSAGES.canceled
    const link = '<a href="/billing">Billing</a>'
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tollgate</title><p>${text}</p><p>${link}</p></html>`
    return htmlReply(200, page, HEADERS)
  },
})

import { jsonReply } from '../../../../platform/http/answer/reply.ts'
import type { Envelope } from '../../../../platform/http/route.ts'
import { type Html, html } from '../../pages/html.ts'
import { prefersHtml } from '../../pages/ownPage.ts'
import { page, pageReply, sandboxStrip } from '../../pages/page.ts'
import { paymentErrorBody } from '../wire/paymentApiError.ts'

/** Errors of pages and controls: a page for browsers, JSON for programs. */
export const pageEnvelope: Envelope = (error, _requestId, request) =>
  prefersHtml(request)
    ? pageReply(error.status, errorPage(error.message))
    : jsonReply(error.status, paymentErrorBody(error), error.headers)

function errorPage(message: string): Html {
  return page(
    'Sandbox',
    '.fault{max-width:560px;margin:80px auto;padding:0 20px;display:grid;gap:16px}',
    html`${sandboxStrip('No money moves.')}<main class="fault"><h1>That did not work</h1><p>${message}</p>
<p><a class="button" href="/payments">To the payments</a></p></main>`,
  )
}

import { sendJson } from '../../platform/http/answers.ts'
import type { ServiceRoute } from '../../platform/http/serviceRoutes.ts'
import { isOwnPage, prefersHtml } from '../pages/ownPage.ts'
import { sendPage } from '../pages/page.ts'
import type { Mailbox } from './mailbox.ts'
import { mailboxPage } from './mailboxPage.ts'

/** `GET /mailbox`: JSON for programs, a page for browsers. */
export function mailboxRoute(mailbox: Mailbox): ServiceRoute {
  return {
    access: 'public',
    handle: (request, response) => {
      if (!isOwnPage(request)) return sendJson(response, 403, { error: 'the mailbox is read on loopback only' })
      const mails = mailbox.newestFirst()
      if (prefersHtml(request)) return sendPage(response, 200, mailboxPage(mails))
      sendJson(response, 200, mails, { server: 'tollgate-sandbox' })
    },
  }
}

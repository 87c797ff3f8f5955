import { jsonReply } from '../../../platform/http/answer/reply.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { prefersHtml } from '../pages/ownPage.ts'
import { pageReply } from '../pages/page.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import { mailboxPage } from './mailboxPage.ts'

export function mailboxRoute(mailbox: Mailbox): Route {
  return route({
    method: 'GET',
    path: '/mailbox',
    access: 'public',
    summary: 'The received mails, newest first: JSON, or a page for browsers',
    query: anyQuery,
    handle: ({ request }) => {
      const mails = mailbox.newestFirst()
      if (prefersHtml(request)) return pageReply(200, mailboxPage(mails))
      return jsonReply(200, mails.map(listed), { server: 'tollgate-sandbox' })
    },
  })
}

/** `shown` is the page's own, and repeats the text. */
function listed({ shown: _, ...mail }: Mail): Omit<Mail, 'shown'> {
  return mail
}

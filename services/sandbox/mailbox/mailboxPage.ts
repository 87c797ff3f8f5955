import { type Html, html } from '../pages/html.ts'
import { page, sandboxStrip } from '../pages/page.ts'
import type { Mail } from './mailbox.ts'

const STYLE = `
main{max-width:820px;margin:0 auto;padding:30px 20px 80px;display:grid;gap:16px}
header.top{display:flex;justify-content:space-between;align-items:center;gap:16px}
h1{font-size:25px;letter-spacing:-.02em}
details{background:var(--paper);border-radius:14px;box-shadow:var(--shade);overflow:hidden}
summary{cursor:pointer;padding:16px 20px;display:grid;grid-template-columns:1fr auto;gap:2px 16px;list-style:none}
summary::-webkit-details-marker{display:none}
summary b{font-weight:650;overflow-wrap:anywhere}
summary time{color:var(--faint);font-size:13px;white-space:nowrap}
.mail{border-top:1px solid var(--line);padding:18px 20px;white-space:pre-wrap;overflow-wrap:anywhere}
.mail .id{margin-top:16px;color:var(--faint)}
.empty{background:var(--paper);border-radius:14px;padding:44px 20px;text-align:center;color:var(--soft)}
`

/** The mails as a page. Only their text is shown, so that no markup of a mail can load or run anything. */
export function mailboxPage(mails: readonly Mail[]): Html {
  return page(
    'Mailbox · Sandbox',
    STYLE,
    html`${sandboxStrip('No mail leaves this machine. All mail that Tollgate sends is listed here.')}
<main><header class="top"><div class="brand"><span class="mark">T</span><h1>Mailbox</h1></div>
<nav class="small"><a href="/payments">Payments</a></nav></header>
${mails.length === 0 ? html`<p class="empty">No mail yet.</p>` : mails.map(mailCard)}</main>`,
  )
}

function mailCard(mail: Mail): Html {
  const times = mail.count > 1 ? html` <span class="badge wait">${mail.count}×</span>` : null
  return html`<details><summary><span><b>${mail.subject || '(no subject)'}</b>${times}</span><time>${mail.receivedAt
    .slice(0, 19)
    .replace('T', ' ')}</time><span class="small soft">${mail.from} → ${mail.to.join(', ')}</span></summary>
<div class="mail">${mail.shown}<p class="id">${mail.messageId ?? mail.id}</p></div></details>`
}

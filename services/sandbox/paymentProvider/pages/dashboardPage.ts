import { type Html, html } from '../../pages/html.ts'
import { page, sandboxStrip } from '../../pages/page.ts'
import { METHOD_OUTCOMES } from '../billing/savedMethods.ts'
import { shownAmount } from '../billing/shownAmount.ts'
import type { ProviderContext } from '../providerContext.ts'
import type {
  Charge,
  CheckoutSession,
  Delivery,
  Dispute,
  Invoice,
  PaymentMethod,
  Subscription,
} from '../state/records.ts'
import { shownDay, shownTime } from './shownTime.ts'

const ROWS_MAX = 25

const STYLE = `
main{max-width:1180px;margin:0 auto;padding:30px 20px 80px;display:grid;gap:26px}
header.top{display:flex;justify-content:space-between;align-items:center;gap:16px;flex-wrap:wrap}
h1{font-size:25px;letter-spacing:-.02em}
.panel{background:var(--paper);border-radius:16px;box-shadow:var(--shade);overflow:hidden}
.panel>header{display:flex;justify-content:space-between;align-items:baseline;gap:14px;padding:18px 22px 12px;flex-wrap:wrap}
h2{font-size:16.5px;letter-spacing:-.01em}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:14px}
th{font-weight:600;font-size:12px;color:var(--faint);text-align:left;padding:7px 22px;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:11px 22px;border-bottom:1px solid var(--line);vertical-align:middle}
tr:last-child td{border-bottom:0}
td.amount{font-variant-numeric:tabular-nums;font-weight:600;white-space:nowrap}
td.when{white-space:nowrap;font-variant-numeric:tabular-nums}
.id{color:var(--soft);white-space:nowrap}
.acts{display:flex;gap:6px;flex-wrap:wrap;justify-content:flex-end}
.acts form{display:inline;margin:0}
.acts button,.acts .button{padding:4px 11px;font-size:13px;border-radius:8px}
.empty{padding:6px 22px 22px;color:var(--soft)}
.issue{display:flex;gap:10px;flex-wrap:wrap;padding:0 22px 20px;align-items:flex-end}
.issue label{display:grid;gap:3px;font-size:12px;color:var(--soft);font-weight:600}
input{font:inherit;font-size:14px;font-weight:400;height:39px;padding:8px 10px;border-radius:9px;border:1px solid var(--line);background:var(--ground);color:var(--ink);min-width:0}
.issue button{padding:0 16px;height:39px}
`

const TONES: Record<string, 'good' | 'bad' | 'wait'> = {
  complete: 'good',
  paid: 'good',
  active: 'good',
  trialing: 'good',
  delivered: 'good',
  succeeded: 'good',
  won: 'good',
  needs_response: 'wait',
  under_review: 'wait',
  lost: 'bad',
  open: 'wait',
  draft: 'wait',
  pending: 'wait',
  incomplete: 'wait',
  paused: 'wait',
  past_due: 'bad',
  canceled: 'bad',
  expired: 'bad',
  'given up': 'bad',
}

/** Lists what was sold, with buttons for what people do in a provider's dashboard and for what happens over time. */
export function dashboardPage(context: ProviderContext, paymentEventsUrl: string): Html {
  const { state } = context
  return page(
    'Payments · Sandbox',
    STYLE,
    html`${sandboxStrip('No money moves. The buttons on this page send signed webhooks to Tollgate.')}
<main><header class="top"><div><div class="brand"><span class="mark">T</span><h1>Sandbox payments</h1></div></div>
<nav class="small"><a href="/mailbox">Mailbox</a></nav></header>
${panel(
  'Checkout sessions',
  'The latest, newest first',
  ['Session', 'What', 'Amount', 'Status', ''],
  latest(state.all('checkoutSession')).map((session) => sessionRow(context, session)),
)}
${panel('Subscriptions', 'Renewals and other changes over time, on demand', ['Subscription', 'Amount', 'Period ends', 'Status', ''], latest(state.all('subscription')).map(subscriptionRow))}
${panel('Invoices', 'Issue one with a due date, which may be in the past', ['Invoice', 'Amount', 'Due', 'Status', ''], latest(state.all('invoice')).map(invoiceRow), issueForm())}
${panel('Charges', 'A refund sends charge.refunded', ['Charge', 'Amount', 'Refunded', 'Status', ''], latest(state.all('charge')).map(chargeRow))}
${panel('Saved cards', 'What the bank does with payments by them', ['Card', 'Customer', 'Payments', ''], latest(state.all('paymentMethod')).map(methodRow))}
${panel('Disputes', 'Chargebacks: the bank decides who gets the money', ['Dispute', 'Charge', 'Amount', 'Status', ''], latest(state.all('dispute')).map(disputeRow))}
${panel(
  'Webhook deliveries',
  `To ${paymentEventsUrl}`,
  ['Event', 'Type', 'When', 'Attempts', 'Last answer', 'Status', ''],
  latest(state.all('delivery')).map((delivery) => deliveryRow(context, delivery)),
)}
</main>`,
  )
}

function panel(title: string, hint: string, heads: readonly string[], rows: readonly Html[], form?: Html): Html {
  const table =
    rows.length === 0
      ? html`<p class="empty">Nothing yet.</p>`
      : html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
  return html`<section class="panel"><header><h2>${title}</h2><span class="small faint">${hint}</span></header>${form ?? null}${table}</section>`
}

function sessionRow({ state }: ProviderContext, session: CheckoutSession): Html {
  const what = state.get('sessionTerms', session.id)?.lineItems.map(({ description }) => description)
  const open = session.status === 'open' ? html`<a class="button" href="/checkout/${session.id}">Open</a>` : null
  return html`<tr><td class="id" title="${session.id}">${shortId(session.id)}</td><td>${what?.join(', ') ?? session.mode}</td>
<td class="amount">${shownAmount(session.amount_total, session.currency)}</td><td>${badge(session.status)}</td>
<td><div class="acts">${open}</div></td></tr>`
}

function subscriptionRow(subscription: Subscription): Html {
  const { id, status, items, currency, cancel_at_period_end } = subscription
  const amount = items.data.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0)
  const act = (action: string, label: string, fields: Record<string, string> = {}) =>
    button(`/sandbox/subscriptions/${id}/${action}`, label, fields)
  const acts =
    status === 'canceled'
      ? []
      : status === 'paused'
        ? [act('resume', 'Resume'), act('cancel', 'Cancel')]
        : [
            act('announce', 'Announce renewal'),
            act('renew', 'Renew, paid', { outcome: 'pay' }),
            act('renew', 'Renew, declined', { outcome: 'decline' }),
            act('renew', 'Renew, to confirm', { outcome: 'action_required' }),
            act('renew', 'Renew, not finalized', { outcome: 'finalization_failed' }),
            ...(status === 'trialing' ? [act('end-trial-soon', 'Trial ends soon')] : []),
            act('pause', 'Pause'),
            act('cancel', 'Cancel'),
          ]
  return html`<tr><td class="id" title="${id}">${shortId(id)}</td><td class="amount">${shownAmount(amount, currency)}</td>
<td class="when">${shownDay(subscription.current_period_end)}${cancel_at_period_end ? ' (last)' : ''}</td><td>${badge(status)}</td>
<td><div class="acts">${acts}</div></td></tr>`
}

function invoiceRow({ id, status, amount_due, currency, due_date }: Invoice): Html {
  const acts =
    status === 'open' || status === 'draft'
      ? [button(`/sandbox/invoices/${id}/pay`, 'Pay'), button(`/sandbox/invoices/${id}/decline`, 'Decline')]
      : []
  return html`<tr><td class="id" title="${id}"><a href="/invoices/${id}">${shortId(id)}</a></td>
<td class="amount">${shownAmount(amount_due, currency)}</td><td class="when">${due_date === null ? '–' : shownDay(due_date)}</td>
<td>${badge(status)}</td><td><div class="acts">${acts}</div></td></tr>`
}

function methodRow({ id, customer, sandbox_outcome: outcome }: PaymentMethod): Html {
  const acts = METHOD_OUTCOMES.filter((other) => other !== outcome).map((other) =>
    button(`/sandbox/payment_methods/${id}/outcome`, METHOD_WORDS[other].act, { outcome: other }),
  )
  return html`<tr><td class="id" title="${id}">${shortId(id)}</td><td class="id" title="${customer ?? ''}">${shortId(customer ?? 'removed')}</td>
<td>${METHOD_WORDS[outcome].now}</td><td><div class="acts">${acts}</div></td></tr>`
}

const METHOD_WORDS = {
  pay: { now: 'succeed', act: 'Pay' },
  decline: { now: 'are declined', act: 'Decline' },
  confirm: { now: 'have to be confirmed', act: 'Ask for confirmation' },
} as const

function chargeRow({ id, amount, amount_refunded, refunded, currency, status }: Charge): Html {
  const half = String(Math.floor((amount - amount_refunded) / 2))
  const dispute = button(`/sandbox/charges/${id}/dispute`, 'Dispute')
  const acts = refunded
    ? [dispute]
    : [
        dispute,
        ...(half === '0' ? [] : [button(`/sandbox/charges/${id}/refund`, 'Refund half', { amount: half })]),
        button(`/sandbox/charges/${id}/refund`, 'Refund the rest'),
      ]
  return html`<tr><td class="id" title="${id}">${shortId(id)}</td><td class="amount">${shownAmount(amount, currency)}</td>
<td>${amount_refunded === 0 ? '–' : shownAmount(amount_refunded, currency)}</td>
<td>${refunded ? html`<span class="badge">refunded</span>` : badge(status)}</td><td><div class="acts">${acts}</div></td></tr>`
}

function disputeRow({ id, charge, amount, currency, status }: Dispute): Html {
  const close = (outcome: string, label: string) => button(`/sandbox/disputes/${id}/close`, label, { outcome })
  const isInquiry = status.startsWith('warning_')
  const acts = [
    button(`/sandbox/disputes/${id}/review`, 'Submit evidence'),
    ...(isInquiry ? [close('closed', 'Close inquiry')] : [close('won', 'Win'), close('lost', 'Lose')]),
  ]
  return html`<tr><td class="id" title="${id}">${shortId(id)}</td><td class="id" title="${charge}">${shortId(charge)}</td>
<td class="amount">${shownAmount(amount, currency)}</td><td>${badge(status)}</td><td><div class="acts">${acts}</div></td></tr>`
}

function deliveryRow({ state }: ProviderContext, delivery: Delivery): Html {
  const { id, status, attempts, outcome } = delivery
  const event = state.get('event', id)
  const again =
    status === 'pending' && attempts > 0 ? `, again at ${shownTime(delivery.nextAttemptMs / 1000).slice(11)}` : ''
  return html`<tr><td class="id" title="${id}">${shortId(id)}</td><td><code>${event?.type ?? '–'}</code></td>
<td class="when soft">${event ? shownTime(event.created) : '–'}</td><td>${attempts}</td><td class="soft">${outcome ?? '–'}${again}</td><td>${badge(status)}</td>
<td><div class="acts">${button(`/sandbox/events/${id}/resend`, 'Send again')}</div></td></tr>`
}

function issueForm(): Html {
  return html`<form class="issue" method="post" action="/sandbox/invoices">
<label>Amount, in cents<input name="amount" value="5000" inputmode="numeric" size="8" required></label>
<label>Currency<input name="currency" value="usd" size="4" required></label>
<label>Due date<input name="due_date" type="date"></label>
<label>Company id<input name="metadata[companyId]" size="34" required></label>
<label>What for<input name="description" value="Usage" size="14"></label>
<button>Issue invoice</button></form>`
}

function button(action: string, label: string, fields: Record<string, string> = {}): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${action}">${hidden}<button>${label}</button></form>`
}

function badge(status: string): Html {
  return html`<span class="badge ${TONES[status] ?? ''}">${status.replaceAll('_', ' ')}</span>`
}

/** The prefix and the last characters of an id. The whole id is shown on hover. */
function shortId(id: string): string {
  return `${id.slice(0, id.lastIndexOf('_') + 1)}…${id.slice(-8)}`
}

function latest<Item>(oldestFirst: readonly Item[]): Item[] {
  return oldestFirst.slice(-ROWS_MAX).reverse()
}

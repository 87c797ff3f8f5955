import { type Html, html } from '../../pages/html.ts'
import { page, sandboxStrip } from '../../pages/page.ts'
import type { Bill } from './bill.ts'

const STYLE = `
.pay{max-width:940px;margin:40px auto;padding:0 20px}
.sheet{display:grid;grid-template-columns:1.05fr 1fr;background:var(--paper);border-radius:20px;overflow:hidden;box-shadow:var(--shade)}
.bill{padding:38px;background:linear-gradient(160deg,#231f6b,#3a33a8 70%,#4a41c8);color:#fff;display:flex;flex-direction:column;gap:26px}
.bill .mark{background:#fff;color:#312a92}.bill .soft{color:#cdcaf5}
.sum{font-size:42px;line-height:1.1;font-weight:750;letter-spacing:-.03em;font-variant-numeric:tabular-nums}
.lines{list-style:none;margin:0;padding:0;border-top:1px solid rgba(255,255,255,.2)}
.lines li{display:flex;justify-content:space-between;gap:20px;padding:13px 0;border-bottom:1px solid rgba(255,255,255,.2)}
.lines b{font-weight:600}.lines .amount{font-variant-numeric:tabular-nums;white-space:nowrap}
.bill .id{margin-top:auto;color:#cdcaf5;overflow-wrap:anywhere}
.act{padding:38px;display:flex;flex-direction:column;gap:18px;justify-content:center}
.act h2{font-size:21px;letter-spacing:-.015em}
.card{border-radius:14px;padding:18px 20px;background:linear-gradient(135deg,#1c2440,#33406b);color:#fff;display:grid;gap:18px;
box-shadow:inset 0 0 0 1px rgba(255,255,255,.08)}
.card div{display:flex;justify-content:space-between;align-items:center}
.chip{width:34px;height:25px;border-radius:6px;background:linear-gradient(135deg,#f7d37a,#c99a3c)}
.digits{font:600 18px ui-monospace,Menlo,Consolas,monospace;letter-spacing:.09em}
.alert{border-radius:12px;padding:13px 16px;background:var(--bad-ground);color:var(--bad);font-weight:600}
form{display:grid;gap:10px;margin:0}
form button{padding:14px 18px}
.state{font-size:44px;line-height:1}
@media(max-width:760px){.sheet{grid-template-columns:1fr}.pay{margin:20px auto}.bill,.act{padding:26px}}
`

/** The page where a person clicks Pay or Decline. */
export function paymentPage(bill: Bill, isDeclined: boolean, backUrl: string | null): Html {
  return sheet(
    bill,
    html`<h2>${isDeclined ? 'Try again' : 'Pay with a test card'}</h2>
${isDeclined ? html`<p class="alert" role="alert">Your card was declined. Nothing was bought.</p>` : null}
<div class="card" aria-hidden="true"><div><span class="chip"></span><b>TEST CARD</b></div>
<span class="digits">4242 4242 4242 4242</span>
<div class="small"><span>${bill.email ?? 'Sandbox buyer'}</span><span>12 / 34</span></div></div>
<form method="post">
<button class="main wide" name="outcome" value="pay">Pay ${bill.amount}</button>
<button class="wide" name="outcome" value="decline">Decline the card</button>
</form>
<p class="small soft">This card exists only here. You decide whether the bank accepts it.${
      backUrl === null ? null : html` <a href="${backUrl}">Go back without paying</a>`
    }</p>`,
  )
}

/** The page of a bill that can no longer be paid. */
export function closedPage(bill: Bill, kind: 'paid' | 'expired' | 'void', backUrl: string | null): Html {
  const [sign, headline, text] = {
    paid: ['✓', 'Paid', 'The payment is complete. It cannot be made a second time.'],
    expired: ['⌛', 'Expired', 'This checkout session has expired. Go back to the shop and start a new one.'],
    void: ['∅', 'Void', 'This invoice was voided and need not be paid.'],
  }[kind] as [string, string, string]
  return sheet(
    bill,
    html`<span class="state" aria-hidden="true">${sign}</span><h2>${headline}</h2><p class="soft">${text}</p>
${backUrl === null ? null : html`<a class="button main wide" href="${backUrl}">Continue</a>`}`,
  )
}

function sheet(bill: Bill, action: Html): Html {
  const lines = bill.lines.map(
    ({ what, detail, amount }) =>
      html`<li><span><b>${what}</b><br><span class="small soft">${detail}</span></span><span class="amount">${amount}</span></li>`,
  )
  return page(
    `${bill.title} · Sandbox`,
    STYLE,
    html`${sandboxStrip('No money moves. This page stands in for a payment provider.')}
<main class="pay"><div class="sheet"><section class="bill"><div class="brand"><span class="mark">T</span>Tollgate</div>
<div><p class="soft">${bill.title}</p><p class="sum">${bill.amount}</p>${
      bill.note === null ? null : html`<p class="soft">${bill.note}</p>`
    }</div><ul class="lines">${lines}</ul><p class="id">${bill.reference}</p></section>
<section class="act">${action}</section></div></main>`,
  )
}

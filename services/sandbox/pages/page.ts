import type { ServerResponse } from 'node:http'
import { htmlReply, type Reply, SENT, type Sent } from '../../../platform/http/answer/reply.ts'
import { Html, html } from './html.ts'

/** The stylesheet of every page. It is inlined, so that pages load nothing from elsewhere. */
const STYLE = `
:root{color-scheme:light dark;--ink:#12172b;--soft:#5b6478;--faint:#8a93a6;--line:#e3e7ef;--paper:#fff;--ground:#f4f6fb;
--accent:#4338ca;--accent-ink:#fff;--good:#0f7b4f;--good-ground:#e3f6ec;--bad:#b3261e;--bad-ground:#fdeceb;
--wait:#8a5a00;--wait-ground:#fff3d6;--shade:0 1px 2px rgba(18,23,43,.05),0 12px 32px -12px rgba(18,23,43,.18)}
@media(prefers-color-scheme:dark){:root{--ink:#eef1f8;--soft:#a8b1c4;--faint:#7a8499;--line:#2a3145;--paper:#171c2c;
--ground:#0e1220;--accent:#8b83ff;--accent-ink:#0e1220;--good:#5fd6a0;--good-ground:#12342a;--bad:#ff8f86;
--bad-ground:#3a1c1f;--wait:#ffcf70;--wait-ground:#3a2e12;--shade:0 12px 32px -12px rgba(0,0,0,.6)}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Inter,sans-serif;
-webkit-font-smoothing:antialiased}
a{color:var(--accent);text-underline-offset:3px}
h1,h2,h3,p{margin:0}
code,.id{font:12.5px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.strip{background:repeating-linear-gradient(-45deg,#ffcf4d 0 14px,#ffd766 14px 28px);color:#3a2a00;text-align:center;
padding:9px 16px;font-weight:600;font-size:13.5px}
.strip b{letter-spacing:.09em;text-transform:uppercase;margin-right:.5em}
button,.button{font:inherit;font-weight:600;border-radius:10px;border:1px solid var(--line);background:var(--paper);
color:var(--ink);padding:11px 18px;cursor:pointer;text-decoration:none;display:inline-block;transition:transform .06s,filter .12s}
button:hover,.button:hover{filter:brightness(1.06)}button:active{transform:translateY(1px)}
button:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid color-mix(in srgb,var(--accent) 45%,transparent);outline-offset:2px}
.main{background:var(--accent);color:var(--accent-ink);border-color:transparent}
.wide{width:100%;text-align:center}
.badge{display:inline-block;border-radius:99px;padding:2px 10px;font-size:12px;font-weight:600;background:var(--ground);color:var(--soft);white-space:nowrap}
.badge.good{background:var(--good-ground);color:var(--good)}.badge.bad{background:var(--bad-ground);color:var(--bad)}
.badge.wait{background:var(--wait-ground);color:var(--wait)}
.soft{color:var(--soft)}.faint{color:var(--faint)}.small{font-size:13px}
.brand{display:flex;align-items:center;gap:10px;font-weight:700;letter-spacing:-.01em}
.mark{width:30px;height:30px;border-radius:9px;background:var(--accent);color:var(--accent-ink);display:grid;place-items:center;font-weight:800}
`

/** A whole page. `style` has the rules that only this page needs. */
export function page(title: string, style: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${new Html(STYLE + style)}</style></head>
<body>${body}</body></html>
`
}

/** The banner that marks every page as part of the sandbox. */
export function sandboxStrip(what: string): Html {
  return html`<div class="strip" role="note"><b>Sandbox</b>${what}</div>`
}

export function pageReply(status: number, content: Html): Reply {
  return htmlReply(status, content.text, {
    'cache-control': 'no-store',
    // No scripts, images or frames from elsewhere. Form targets are not restricted: Pay redirects to the shop.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    server: 'tollgate-sandbox',
  })
}

export function redirect(response: ServerResponse, location: string): Sent {
  response.writeHead(303, { location, 'content-length': 0, server: 'tollgate-sandbox' }).end()
  return SENT
}

import { htmlReply, Reply } from '../../../platform/http/answer/reply.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { pageHeaders } from '../pageHeaders.ts'

const HEADERS = { ...pageHeaders('console'), 'cache-control': 'no-store' }

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tollgate</title>
<script src="/session/link.js" defer></script>
</head>
<body>
<p id="state" role="status">Signing in…</p>
<noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`

/** The token leaves the address before anything else, so that it is in no history and no bookmark. */
const SCRIPT = `const signInLink = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
history.replaceState(null, '', location.pathname)

/** If this browser has already used the link, it opens the console. */
async function isSignedIn() {
  const answer = await fetch('/session').catch(() => null)
  return answer?.ok ? (await answer.json()).user !== null : false
}

async function signIn() {
  const body = JSON.stringify({ signInLink })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('/session', { method: 'POST', headers, body }).catch(() => null)
  if (answer?.ok || (answer && (await isSignedIn()))) return location.replace('/')
  const state = document.getElementById('state')
  state.textContent = answer
    ? 'This link was used before or has expired. Each start of Tollgate prints a new one. '
    : 'Tollgate does not answer. '
  const link = document.createElement('a')
  link.href = '/sign-in'
  link.textContent = 'Sign in'
  state.append(link)
}

if (document.prerendering) document.addEventListener('prerenderingchange', signIn, { once: true })
else signIn()
`

/**
 * The page that a sign-in link leads to. The token stands after the #, and the page's script sends it: whatever only fetches
 * the address, such as the preview of a terminal or a chat, does not use the link up.
 */
export const signInPage: readonly Route[] = [
  route({
    method: 'GET',
    path: '/session/link',
    access: 'public',
    summary: 'The page that signs a demo user in',
    query: anyQuery,
    handle: () => htmlReply(200, PAGE, HEADERS),
  }),
  route({
    method: 'GET',
    path: '/session/link.js',
    access: 'public',
    summary: 'The script of that page',
    query: anyQuery,
    handle: () => new Reply(200, 'text/javascript; charset=utf-8', SCRIPT, HEADERS),
  }),
]

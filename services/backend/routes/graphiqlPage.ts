import type { IncomingMessage } from 'node:http'
import { htmlReply, type Reply, textReply } from '../../../platform/http/answer/reply.ts'
import { pageHeaders } from '../pageHeaders.ts'
import type { BackendCaller } from '../userGuard.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tollgate GraphQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphql/graphiql.css">
</head>
<body>
<div id="root"></div>
<script src="/graphql/graphiql.js"></script>
<script src="/graphql/begin.js"></script>
</body>
</html>
`

/** Where the console lets people sign in; it leads them back to `to`. */
const SIGN_IN = '/sign-in?to=%2Fgraphql'
/** The answer depends on both headers. */
const HEADERS = { ...pageHeaders('graphiql'), 'cache-control': 'no-store', vary: 'accept, cookie' }

/** A browser that shows the answer as a page. GraphQL clients ask for JSON. */
export function asksForPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && /\btext\/html\b/i.test(headers.accept ?? '')
}

/** GraphiQL, or the way to the sign-in. */
export function graphiqlPage(user: BackendCaller): Reply {
  return user ? htmlReply(200, PAGE, HEADERS) : textReply(303, 'Sign in first.', { ...HEADERS, location: SIGN_IN })
}

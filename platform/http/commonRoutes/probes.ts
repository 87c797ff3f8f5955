import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers `/livez` and `/readyz`, which every service has for load balancers. They stand before all routes: they need no
 * credentials, count against no limit, and ask no dependency, because a load balancer must not take out every process that
 * shares one. False if the request is for something else.
 */
export function answersProbe({ method, url }: IncomingMessage, response: ServerResponse, isDraining: boolean): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (url !== '/livez' && url !== '/readyz') return false
  const isRefused = isDraining && url === '/readyz'
  const body = JSON.stringify({ status: isRefused ? 'draining' : 'ok' })
  response.writeHead(isRefused ? 503 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  })
  response.end(method === 'HEAD' ? undefined : body)
  return true
}

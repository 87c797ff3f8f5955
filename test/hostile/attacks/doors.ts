import type { AttackedRoute } from '../routes.ts'
import { requestTo } from '../validRequest.ts'
import type { WireCase } from '../wireCase.ts'

const UNKNOWN_PROOFS = [
  ['without credentials', null],
  ['an unknown key', 'Bearer tg_00000000000000000000000000000000'],
  ['the token of another service', 'Bearer {{admin}}'],
] as const

/** Requests that authentication must refuse, whatever their content. */
export function doorAttacks(route: AttackedRoute): WireCase[] {
  return [...withoutProof(route), ...fromAnotherPage(route)]
}

function withoutProof(route: AttackedRoute): WireCase[] {
  if (route.access !== 'key' && route.access !== 'internal') return []
  return UNKNOWN_PROOFS.flatMap(([name, authorization]) => {
    const headers = { authorization }
    return [
      requestTo(route, { name, headers, status: 401 }),
      // The answer does not wait for the rest of the body.
      requestTo(route, {
        name: `${name} and with a half-sent body`,
        headers: { ...headers, 'content-length': 50_000, 'content-type': 'application/json' },
        body: ['{'],
        status: 401,
      }),
    ]
  })
}

/** The sandbox has no passwords, so that its pages and its API are for programs and its own pages only. */
function fromAnotherPage(route: AttackedRoute): WireCase[] {
  if (route.service !== 'sandbox' || route.access === 'internal') return []
  return [
    requestTo(route, { name: 'a foreign Host', headers: { host: 'other.example' }, status: 403 }),
    requestTo(route, { name: 'a foreign Origin', headers: { origin: 'http://other.example' }, status: 403 }),
  ]
}

/** An unfinished body of an unauthenticated caller, which must not keep its slot for long. */
export function halfSentAttack(route: AttackedRoute): WireCase {
  const headers = { 'content-length': 50_000, 'content-type': 'application/json', authorization: null }
  return requestTo(route, { name: 'a half-sent body', headers, body: ['{'] })
}

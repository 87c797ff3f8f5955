import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  UNIDENTIFIED_REQUESTS_MAX,
  UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX,
} from '../../../platform/http/limits/requestPlaces.ts'
import {
  GRAPHQL_UNIDENTIFIED_SOCKETS_MAX,
  GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX,
} from '../../../services/backend/graphql/sockets/socketPlaces.ts'
import type { HalfSent } from '../../support/callers/halfSentRequests.ts'
import { ATTACKER, FORGED_SIGNATURE, settled, UnidentifiedCallers } from '../../support/callers/unidentifiedCallers.ts'
import { type BackendHarness, startBackendHarness } from '../../support/harness/backendHarness.ts'
import { until } from '../../support/time/until.ts'

let backend: BackendHarness
let callers: UnidentifiedCallers
beforeAll(async () => {
  backend = await startBackendHarness({ env: { TRUST_PROXY: '1' } })
  callers = new UnidentifiedCallers(backend)
})
afterEach(() => {
  callers.close()
})
afterAll(() => backend.close())

describe('half-sent bodies without credentials', () => {
  const TARGETS: [string, HalfSent][] = [
    ['/graphql', { path: '/graphql' }],
    ['/payments/webhook', { path: '/payments/webhook', headers: [FORGED_SIGNATURE] }],
  ]

  test.each(TARGETS)('to %s, more than all places from one address: others are served', async (_, request) => {
    const { answered } = callers.attack(backend.url, UNIDENTIFIED_REQUESTS_MAX + 10, { ...request, address: ATTACKER })
    await until('all but the share of the address are refused', () => {
      return answered(429) === UNIDENTIFIED_REQUESTS_MAX + 10 - UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX
    })
    expect((await backend.ask('{ whoAmI { email } }', {}, backend.admin.token)).data).toBeTruthy()
    expect((await callers.logIn()).data.login.token).toEqual(expect.any(String))
    expect(await callers.paymentEvent()).toMatchObject({ status: 200 })
  })

  test('a delivery that has no signature is refused before its body is read', async () => {
    const { requests, answered } = callers.attack(backend.url, 1, { path: '/payments/webhook' })
    await until('it is refused', () => answered(400) === 1)
    expect(requests[0]?.text()).toContain('Webhook Error: No valid stripe-signature header')
  })
})

describe('sockets without a token', () => {
  test('from one address fill its places only, and users of any address are served', async () => {
    const sockets = Array.from({ length: GRAPHQL_UNIDENTIFIED_SOCKETS_MAX + 5 }, () => callers.openSocket(ATTACKER))
    await Promise.all(sockets.map(settled))
    await until('those beyond the share of the address are closed', () => {
      const left = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)
      return left.length <= GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX
    })
    expect(await callers.isServed('203.0.113.9')).toBe(true)
    expect(await callers.isServed(ATTACKER)).toBe(true)
  })
})

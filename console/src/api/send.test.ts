import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { TypedDocumentString } from '../graphql/generated.ts'
import { TOO_LATE } from './apiError.ts'
import { execute } from './execute.ts'
import { send } from './send.ts'

/** Any limit will do for a server that never answers. */
const SOON_MS = 20
const query = new TypedDocumentString('query Balance { creditBalance { credits } }')
const mutation = new TypedDocumentString('mutation Revoke { revokeApiKey(id: "k") { id } }')

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a request that is not answered ends at its limit', async () => {
  const url = await serveNothing()
  await expect(send('GET', url, undefined, SOON_MS)).rejects.toMatchObject({
    ...{ code: 'TIMEOUT', message: TOO_LATE, requestId: null },
  })
})

test('an answer whose body does not end is aborted at the limit', async () => {
  useFakeTimeouts()
  vi.stubGlobal('fetch', endless)
  const rejected = expect(send('GET', '/session', undefined, SOON_MS)).rejects.toMatchObject({
    ...{ code: 'TIMEOUT', message: TOO_LATE, requestId: 'r1' },
  })
  await vi.advanceTimersByTimeAsync(SOON_MS)
  await rejected
})

test.each([
  ['a request', 60_000, () => send('GET', '/session')],
  ['a query', 60_000, () => execute(query, {})],
  ['a change', 150_000, () => execute(mutation, {})],
])('%s is given %i ms', async (_, limitMs, ask) => {
  useFakeTimeouts()
  vi.stubGlobal('fetch', unanswered)
  let ended: unknown = null
  void ask().catch((error: unknown) => {
    ended = error
  })
  await vi.advanceTimersByTimeAsync(limitMs - 1)
  expect(ended).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toMatchObject({ code: 'TIMEOUT', message: TOO_LATE })
})

/** A server that takes requests and answers none. */
async function serveNothing(): Promise<string> {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Behaves like fetch while no answer arrives. */
function unanswered(_: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Behaves like fetch after the headers arrived but before the body does. */
async function endless(_: string, { signal }: RequestInit): Promise<Response> {
  const body = new ReadableStream({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
  })
  return new Response(body, { headers: { 'x-request-id': 'r1' } })
}

/** Fake timers do not affect AbortSignal.timeout. */
function useFakeTimeouts(): void {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('the limit is reached', 'TimeoutError')), ms)
    return controller.signal
  })
}

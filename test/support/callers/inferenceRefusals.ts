import { expect } from 'vitest'
import type { Answer } from '../harness/gatewayClient.ts'
import type { GatewayHarness } from '../harness/gatewayHarness.ts'

type Body = object | string
type Send = (body: Body, key?: string) => Promise<Answer>

/** The body is answered 400 with this message, and no provider is asked. */
export async function expectRefusedBody(gateway: GatewayHarness, send: Send, body: Body, message: RegExp) {
  const callsBefore = gateway.provider.calls.length
  const { status, json } = await send(body)
  expect(status).toBe(400)
  expect(json.error).toEqual({
    message: expect.stringMatching(message),
    type: 'invalid_request_error',
    code: 'INVALID_REQUEST',
  })
  expect(gateway.provider.calls.length).toBe(callsBefore)
}

/** Checks that a valid body is refused if the key lacks the scope or the model, or the company has no credits. */
export async function expectRefusedKeys(gateway: GatewayHarness, send: Send, body: Body) {
  const unscoped = await gateway.mintKey(undefined, { scopes: ['usage:read'] })
  expect((await send(body, unscoped.raw)).json.error.code).toBe('LLM_SCOPE_DENIED')
  const otherModel = await gateway.mintKey(undefined, { models: ['svc/chat-cheap'] })
  expect((await send(body, otherModel.raw)).json.error.code).toBe('LLM_MODEL_NOT_ALLOWED')
  const penniless = await gateway.mintKey(await gateway.registerCompany())
  const refusal = await send(body, penniless.raw)
  expect([refusal.status, refusal.json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS'])
}

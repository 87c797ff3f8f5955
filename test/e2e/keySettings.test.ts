import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { FOLLOWED_MS_MAX, type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { DONE, finishes, says, streamed, usageBlock, whole } from '../support/parties/scriptedProvider.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

let gateway: GatewayHarness

beforeAll(async () => {
  // Budgets of a day would begin again at a real midnight.
  gateway = await startGatewayHarness({ clock: steppedClock(Date.UTC(2026, 2, 1, 12)) })
})
afterAll(() => gateway.close())

const labelled = (key: string, label?: string, body = chatBody()) =>
  gateway.chat(body, { key, headers: label === undefined ? {} : { 'x-usage-label': label } })
const labelOf = async (answer: Parameters<typeof callIdOf>[0]) => (await gateway.ending(callIdOf(answer))).data

describe('the label of a call', () => {
  test("is its header's, or else its key's, or else none", async () => {
    const plain = await gateway.mintKey()
    const team = await gateway.mintKey(gateway.companyId, { label: 'team-a' })
    expect(await labelOf(await labelled(plain.raw))).toMatchObject({ label: null })
    expect(await labelOf(await labelled(plain.raw, 'Nightly run: 7/b@x#1+2=3_.-'))).toMatchObject({
      label: 'Nightly run: 7/b@x#1+2=3_.-',
    })
    expect(await labelOf(await labelled(team.raw))).toMatchObject({ label: 'team-a' })
    expect(await labelOf(await labelled(team.raw, 'team-b'))).toMatchObject({ label: 'team-b' })
  })

  test('is on streams, on failed calls and on calls of tools', async () => {
    const team = await gateway.mintKey(gateway.companyId, { label: 'team-a' })
    gateway.provider.next(streamed(says('Hi'), finishes(), usageBlock(), DONE))
    expect(await labelOf(await labelled(team.raw, 's', chatBody({ stream: true })))).toMatchObject({ label: 's' })
    gateway.provider.next(whole({ error: { message: 'no' } }, { status: 400 }))
    expect(await labelOf(await labelled(team.raw, 'f'))).toMatchObject({ label: 'f', reason: expect.any(String) })
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'chat', arguments: chatBody() } }
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const tool = await gateway.call('/llm/v1/mcp', {
      key: team.raw,
      body: rpc,
      headers: { ...headers, 'x-usage-label': 't' },
    })
    expect(await labelOf(tool)).toMatchObject({ label: 't' })
  })

  test.each([
    ['empty', ''],
    ['too long', 'a'.repeat(65)],
    ['ours', '(other)'],
    ['two labels', 'a, b'],
    ['not ASCII', 'caf\u00e9'],
    ['beginning with a sign', '-a'],
  ])('is refused with 400 if it is %s', async (_, label) => {
    const before = gateway.provider.calls.length
    const { status, json } = await labelled((await gateway.mintKey()).raw, label)
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain('x-usage-label')
    expect(gateway.provider.calls).toHaveLength(before)
  })
})

test('a change of a key takes effect at the gateway within seconds', async () => {
  const key = await gateway.mintKey(gateway.companyId, { models: ['svc/chat-default'] })
  expect((await labelled(key.raw)).status).toBe(200)
  await gateway.update(key.keyId, { models: ['svc/chat-cheap'], label: 'late' })
  await until('the model is refused', async () => (await labelled(key.raw)).status === 403, FOLLOWED_MS_MAX)
  expect(await labelOf(await labelled(key.raw, undefined, chatBody({ model: 'svc/chat-cheap' })))).toMatchObject({
    label: 'late',
  })
})

describe('the budget of a key', () => {
  /** Each call costs 1.25 credits. */
  const budget = { amountMicros: 2_000_000n, period: 'DAY' } as const
  const ask = async (key: string) => {
    const { status, json } = await labelled(key)
    return status === 200 ? 200 : [status, json.error.type, json.error.code]
  }
  const EXCEEDED = [402, 'insufficient_quota', 'KEY_BUDGET_EXCEEDED']

  test('refuses calls once it is used up, and those of a rotated key; other keys go on', async () => {
    const key = await gateway.mintKey(gateway.companyId, { budget })
    const other = await gateway.mintKey()
    const rotated = await gateway.mintKey(gateway.companyId, { rotatedFrom: key.keyId })
    expect([await ask(key.raw), await ask(rotated.raw), await ask(rotated.raw), await ask(key.raw)]).toEqual([
      ...[200, 200],
      ...[EXCEEDED, EXCEEDED],
    ])
    expect(await ask(other.raw)).toBe(200)
    const before = gateway.provider.calls.length
    const large = chatBody({ user: 'x'.repeat(100_000) })
    expect((await gateway.chat(large, { key: key.raw })).json.error.code).toBe('KEY_BUDGET_EXCEEDED')
    expect(gateway.provider.calls).toHaveLength(before)
    expect((await gateway.call('/llm/v1/models', { key: key.raw })).status).toBe(200)
  })

  test('that is raised or removed admits calls within a second; one that is set counts what was spent before', async () => {
    const key = await gateway.mintKey()
    expect(await ask(key.raw)).toBe(200)
    await gateway.update(key.keyId, { budget: { amountMicros: 1_000_000n, period: 'TOTAL' } })
    await until('the budget counts', async () => (await ask(key.raw)) !== 200)
    await gateway.update(key.keyId, { budget: { amountMicros: 1_000_000_000n, period: 'MONTH' } })
    await until('calls are admitted again', async () => (await ask(key.raw)) === 200)
  })
})

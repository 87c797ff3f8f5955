import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { DONE, finishes, says, streamed, usageBlock, whole } from '../support/parties/scriptedProvider.ts'

let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterAll(() => gateway.close())

const callNamed = (id: string, key = gateway.key.raw) => gateway.call(`/llm/v1/calls/${id}`, { key })
const callOf = (answer: Pick<Answer, 'headers'>) => callNamed(callIdOf(answer))
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('GET /calls/{id}', () => {
  test('reports a charged call right after its answer', async () => {
    const answer = await gateway.chat(chatBody(), { headers: { 'x-usage-label': 'team-a' } })
    const { status, json } = await callOf(answer)
    expect(status).toBe(200)
    expect(json).toEqual({
      ...{ object: 'call', id: callIdOf(answer), state: 'charged', model: 'svc/chat-default' },
      ...{ endpoint: '/chat/completions', streamed: false, label: 'team-a' },
      ...{ tokens_in: 1_000, tokens_cached: null, tokens_out: 500, credits: 1.25 },
      ...{ admitted_at: expect.stringMatching(TIME), finished_at: expect.stringMatching(TIME), reason: null },
      abandoned: false,
    })
  })

  test('reports a failed call as free', async () => {
    gateway.provider.next(whole({ error: { message: 'no' } }, { status: 400 }))
    const { json } = await callOf(await gateway.chat(chatBody()))
    expect(json).toMatchObject({ state: 'failed', credits: 0, tokens_in: 0, reason: expect.any(String) })
  })

  test('reports a call in flight to its own key, and its end after it', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    gateway.provider.next(streamed(says('Good'), mayEnd, finishes(), usageBlock(), DONE))
    const stream = await gateway.stream(chatBody({ stream: true }))
    await stream.saw('Good')
    const other = await gateway.mintKey()
    const inFlight = { state: 'in_flight', streamed: true, credits: 0, finished_at: null, model: 'svc/chat-default' }
    expect((await callOf(stream)).json).toMatchObject(inFlight)
    expect((await callNamed(callIdOf(stream), other.raw)).status).toBe(404)
    end()
    expect(await stream.ended).toBe('whole')
    expect((await callOf(stream)).json).toMatchObject({ state: 'charged', credits: 1.25 })
  })

  test('404 for the call of another key, of the same company or of another', async () => {
    const answer = await gateway.chat(chatBody())
    const sibling = await gateway.mintKey()
    const foreign = await gateway.mintKey(await gateway.registerCompany({ credits: '1' }))
    for (const { raw } of [sibling, foreign]) {
      const { status, headers } = await callNamed(callIdOf(answer), raw)
      expect([status, headers['retry-after']]).toEqual([404, '1'])
    }
  })
})

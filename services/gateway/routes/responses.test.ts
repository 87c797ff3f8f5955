import { expect, test } from 'vitest'
import { responseObject, responsesEvents, responsesStream } from '../../../test/support/events/responsesEvents.ts'
import { TOOL_PRICES } from '../../../test/support/harness/gatewayHarness.ts'
import { inferenceRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import { PROVIDER_MODEL, streamed, streamedThenCut, whole } from '../../../test/support/parties/scriptedProvider.ts'

const used = useGateway({ alias: { allow: ['web_search', 'code_interpreter'] }, prices: TOOL_PRICES })
const body = { model: 'svc/chat-default', input: 'Hello' }
const call = (changes: object = {}) => used.gateway.call('/responses', { key: used.key, body: { ...body, ...changes } })

inferenceRouteCases(used, {
  path: '/responses',
  body,
  answer: responseObject(),
  refused: [
    [{ input: 3 }, "'input'"],
    [{ max_output_tokens: 0 }, "'max_output_tokens'"],
    [{ background: true }, "'background'"],
    [{ previous_response_id: 'resp_1' }, "'previous_response_id'"],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, "'input[0]'"],
    [{ tools: [{ type: 'image_generation' }] }, '"image_generation"'],
    [{ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, "'tools[0].container'"],
  ],
})

test('200: a hosted tool that the alias allows is forwarded, in any version', async () => {
  const tools = [{ type: 'web_search_2025_08_26' }, { type: 'code_interpreter', container: { type: 'auto' } }]
  used.gateway.provider.next(whole(responseObject()))
  expect((await call({ tools })).status).toBe(200)
  expect(JSON.parse(used.gateway.provider.lastCall().body.toString())).toEqual({
    ...body,
    model: PROVIDER_MODEL,
    tools,
  })
})

test('200: a stream, with the alias in place of every model name, and its cost before the first held event', async () => {
  const events = responsesStream('Good day.')
  used.gateway.provider.next(streamed(...events))
  const { text, headers } = await call({ stream: true })
  expect(headers['content-type']).toMatch(/^text\/event-stream/)
  expect(text).not.toContain(PROVIDER_MODEL)
  const waits = text.indexOf('event: response.output_text.done')
  expect(text.slice(0, waits)).toMatch(/\n\n: x-credits-charged [\d.]+\n\n$/)
  const sent = text.replace(/: x-credits-charged .*\n\n/, '')
  expect(sent).toBe(events.join('').replaceAll(PROVIDER_MODEL, 'svc/chat-default'))
})

test('200: the alias replaces a model name that differs from the setting', async () => {
  const named = { model: 'vendor-snapshot-2' }
  used.gateway.provider.next(whole(responseObject(named)))
  expect((await call()).json.model).toBe(body.model)
  const { ends } = responsesEvents()
  used.gateway.provider.next(streamed(ends(named)))
  expect((await call({ stream: true })).text).not.toContain('vendor-snapshot-2')
})

test('200: a stream that breaks off ends with response.failed, and is not charged', async () => {
  used.gateway.provider.next(streamedThenCut(...responsesStream().slice(0, -1)))
  const { text, headers } = await call({ stream: true })
  expect(text).not.toContain('.done')
  expect(text).toMatch(/event: response\.failed\ndata: \{.*"model":"svc\/chat-default".*\}\n\n$/)
  expect(used.gateway.eventsOf(String(headers['x-request-id']))).toMatchObject([{ type: 'CallFailed' }])
})

test.each([
  ['an answer that failed', { status: 'failed', error: { code: 'server_error', message: 'no' } }],
  ['an answer without usage', { usage: null }],
  ['a negative usage', { usage: { input_tokens: 1, output_tokens: -1 } }],
])('503 for %s, which is not charged', async (_, changes) => {
  used.gateway.provider.next(whole(responseObject(changes)))
  const { status, headers } = await call()
  expect(status).toBe(503)
  expect(used.gateway.eventsOf(String(headers['x-request-id']))).toMatchObject([{ type: 'CallFailed' }])
})

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { startWorkersHarness, type WorkersHarness } from '../../support/harness/workersHarness.ts'
import { docxOfParagraphs, pdfOfNestedForms } from '../../support/parties/hostileDocuments.ts'
import { PARSE_CV, upload } from '../parsingRequests.ts'

const MANY_PARAGRAPHS = { name: 'many.docx', bytes: docxOfParagraphs(400_000) }
const NESTED_FORMS = { name: 'forms.pdf', bytes: pdfOfNestedForms(12) }
/** Each hostile document is read twice, two at a time, for up to thirty seconds on a busy machine. */
const ALL_READ_MS_MAX = 240_000
/** Lower than those of an installation, at which test/hostile/everyRoute.slow.test.ts sends such documents. */
const DOCUMENT_LIMITS = { cpuMs: 1_500, heapMbMax: 64 }
/** The shared limit of a company's documents is tested elsewhere. */
const CPU_BURST_MS = 3_600_000
const LIMITS = /could not be read within its limits/

let gateway: GatewayHarness
let workers: WorkersHarness
beforeAll(async () => {
  gateway = await startGatewayHarness({ documents: DOCUMENT_LIMITS })
  workers = await startWorkersHarness({
    retryMs: { first: 100, longest: 100 },
    documents: { ...DOCUMENT_LIMITS, cpuBurstMs: CPU_BURST_MS },
  })
})
afterAll(async () => {
  await gateway.close()
  await workers.close()
})

test.each([MANY_PARAGRAPHS, { name: 'more.docx', bytes: docxOfParagraphs(1_400_000) }, NESTED_FORMS])(
  '400 INVALID_REQUEST for $name, and the gateway goes on',
  async (file) => {
    const key = await gateway.mintKey(await gateway.registerCompany({ credits: '10' }))
    await gateway.untilCredited(key.raw, 10)
    const answer = await upload({ url: gateway.url, key }, PARSE_CV, [file])
    expect([answer.status, answer.json.error]).toEqual([
      400,
      { type: 'invalid_request_error', code: 'INVALID_REQUEST', message: expect.stringMatching(LIMITS) },
    ])
    expect((await call(gateway.url, '/llm/v1/models', { key: gateway.key.raw })).status).toBe(200)
  },
)

test('hostile uploads fail after two readings, and a CV that waits behind them is read', async () => {
  const hostile = []
  for (const file of [MANY_PARAGRAPHS, NESTED_FORMS]) hostile.push((await workers.upload('uploadCv', file)).document.id)
  const bytes = readFileSync(new URL('../../fixtures/cvs/known/whitcombe.pdf', import.meta.url))
  const { document } = await workers.upload('uploadCv', { name: 'cv.pdf', bytes })
  const passTime = () => workers.clock.advance(1_000)
  expect(await workers.settled(document.id, passTime, ALL_READ_MS_MAX)).toMatchObject({ status: 'PROCESSED' })
  for (const id of hostile) {
    expect(await workers.settled(id, passTime, ALL_READ_MS_MAX)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(LIMITS),
    })
  }
})

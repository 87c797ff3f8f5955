import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sending } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { pdfOf, pdfOfNestedForms } from '../../support/parties/hostileDocuments.ts'
import { whole } from '../../support/parties/scriptedProvider.ts'
import { answering, EMPTY_CV, PARSE_CV, upload } from '../parsingRequests.ts'

type Uploader = Parameters<typeof upload>[0]

let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
  gateway.provider.always(whole(answering(EMPTY_CV)))
})
afterAll(() => gateway.close())

/** Each hostile document takes all of its CPU time, which counts five times; a company may spend the burst at once. */
const STRICT_LIMITS = { cpuMs: 2_000, cpuBurstMs: 12_000, cpuShare: 0.001 }

/** One more than were read at once and could wait before each company had its own place in the queue. */
const SLOW_DOCUMENTS = 35

test('slow documents of one company do not delay another company, even after the first disconnects', async () => {
  const other = await gateway.mintKey(await gateway.registerCompany({ credits: '10' }))
  const ours = { url: gateway.url, key: other }
  await gateway.untilCredited(other.raw, 10)
  const slow = pdfOfNestedForms(12)
  const { encoded, contentType } = await multipart(slow)
  const theirs = Array.from({ length: SLOW_DOCUMENTS }, () =>
    sending(gateway.url, PARSE_CV, {
      key: gateway.key.raw,
      body: encoded,
      headers: { 'content-type': contentType },
    }),
  )
  const answers = Promise.allSettled(theirs.map(({ answer }) => answer))
  const refused = await Promise.race(theirs.map(async ({ answer }) => (await answer).statusCode))
  expect(refused).toBe(503)

  const quick = [{ bytes: pdfOf('BT /F1 12 Tf (Ada Example) Tj ET'), name: 'cv.pdf' }]
  expect((await upload(ours, PARSE_CV, quick)).status).toBe(200)

  for (const { leave } of theirs) leave()
  await answers
  expect((await upload(ours, PARSE_CV, quick)).status).toBe(200)
})

test('429 with retry-after for the documents of a company that have taken too much time, and 200 for those of others', async () => {
  const strict = await startGatewayHarness({ documents: STRICT_LIMITS })
  onTestFinished(() => strict.close())
  strict.provider.always(whole(answering(EMPTY_CV)))
  const [theirs, ours] = await Promise.all(
    ['10', '10'].map(async (credits) => ({
      url: strict.url,
      key: await strict.mintKey(await strict.registerCompany({ credits })),
    })),
  )
  const hostile = [{ bytes: pdfOfNestedForms(12), name: 'cv.pdf' }]
  const quick = [{ bytes: pdfOf('BT /F1 12 Tf (Ada Example) Tj ET'), name: 'cv.pdf' }]
  for (const each of [theirs, ours]) await strict.untilCredited(each?.key.raw ?? '', 10)
  const statuses: number[] = []
  for (let n = 0; n < 2; n++) statuses.push((await upload(theirs as Uploader, PARSE_CV, hostile)).status)
  expect(statuses).toEqual([400, 400])
  const refused = await upload(theirs as Uploader, PARSE_CV, quick)
  expect([refused.status, refused.json.error.type]).toEqual([429, 'rate_limit_error'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1)
  expect((await upload(ours as Uploader, PARSE_CV, quick)).status).toBe(200)
})

test('402 INSUFFICIENT_CREDITS before a document of a company without credits is read', async () => {
  const key = await gateway.mintKey(await gateway.registerCompany())
  const { status, json } = await upload({ url: gateway.url, key }, PARSE_CV, [{ bytes: pdfOfNestedForms(12) }])
  expect([status, json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS'])
})

async function multipart(bytes: Buffer) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'cv.pdf')
  const response = new Response(form)
  return {
    encoded: Buffer.from(await response.arrayBuffer()),
    contentType: response.headers.get('content-type') ?? '',
  }
}

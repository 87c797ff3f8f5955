import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callIdOf } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { startTestSandbox, type TestSandbox } from '../../support/harness/sandbox.ts'
import { PARSE_CV, PARSE_JD, upload } from '../parsingRequests.ts'
import { Scores } from './parsingScores.ts'

const LEAST = 0.8
const KINDS = [
  { kind: 'cvs', path: PARSE_CV },
  { kind: 'jobs', path: PARSE_JD },
] as const
/** The rules were written against the known documents; for the unseen ones only the scores were looked at. */
const GROUPS = [
  { group: 'known', files: { pdf: 7, docx: 7, txt: 6 } },
  { group: 'unseen', files: { pdf: 3, docx: 3, txt: 4 } },
] as const

let sandbox: TestSandbox
let gateway: GatewayHarness

beforeAll(async () => {
  sandbox = await startTestSandbox()
  const provider = { name: 'sandbox', baseUrl: `${sandbox.url}/v1`, model: 'sandbox-extract-default', apiKey: null }
  gateway = await startGatewayHarness({ provider, credits: '100000' })
})
afterAll(async () => {
  await gateway.close()
  await sandbox.close()
})

type Fixture = { readonly name: string; readonly bytes: Buffer; readonly expected: { readonly error?: string } }

function fixturesOf(kind: string, group: string): Fixture[] {
  const folder = new URL(`../../fixtures/${kind}/${group}/`, import.meta.url)
  const read = (name: string) => readFileSync(new URL(name, folder))
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.json'))
    .map((name) => {
      const expected = JSON.parse(read(name.replace(/\.\w+$/, '.expected.json')).toString())
      return { name, bytes: read(name), expected }
    })
}

describe.each(KINDS)('$kind through gateway and sandbox', ({ kind, path }) => {
  test.each(GROUPS)('$group: every field reaches precision and recall of 0.8', async ({ group, files }) => {
    const fixtures = fixturesOf(kind, group)
    for (const [ending, count] of Object.entries(files)) {
      expect(fixtures.filter(({ name }) => name.endsWith(ending))).toHaveLength(count)
    }
    const scores = new Scores()
    const parsed = fixtures.map(async ({ name, bytes, expected }) => {
      const answer = await upload(gateway, path, [{ bytes, name }])
      if (expected.error !== undefined) {
        expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST'])
        expect(answer.json.error.message).toContain(expected.error)
        return
      }
      expect(answer.status).toBe(200)
      expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([{ type: 'CallCharged' }])
      scores.add(expected, answer.json)
    })
    await Promise.all(parsed)
    const table = scores.table()
    const figures = table.map(({ field, precision, recall, wanted }) =>
      [
        field.padEnd(24),
        precision.toFixed(2).padStart(9),
        recall.toFixed(2).padStart(7),
        String(wanted).padStart(7),
      ].join(' '),
    )
    process.stdout.write(
      `\n${kind}, ${group}\n${'field'.padEnd(24)} precision  recall  values\n${figures.join('\n')}\n`,
    )
    expect(table.length).toBeGreaterThanOrEqual(12)
    expect(table.filter(({ precision, recall }) => precision < LEAST || recall < LEAST)).toEqual([])
  })
})

test('a chat call that asks for JSON by a schema gets it streamed too', async () => {
  const schema = { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] }
  const stream = await gateway.stream({
    model: 'svc/chat-default',
    stream: true,
    messages: [{ role: 'user', content: 'Write to ada@example.org, please.' }],
    response_format: { type: 'json_schema', json_schema: { name: 'mail', schema } },
  })
  expect(await stream.ended).toBe('whole')
  const events = stream
    .text()
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
  const text = events.map((event) => JSON.parse(event.slice('data: '.length)).choices[0]?.delta.content ?? '')
  expect(JSON.parse(text.join(''))).toEqual({ email: 'ada@example.org' })
})

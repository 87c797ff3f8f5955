import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { readMarkdown } from './markdown.ts'
import { asInstalled, runDocument, runnableBlocks, runProgram, type SnippetRun } from './snippets.ts'

let installation: Installation
let run: SnippetRun
beforeAll(async () => {
  installation = await startInstallation()
  const { dataDir, env, demo } = installation
  run = { replaced: asInstalled(dataDir, env), env: { DATA_DIR: dataDir, TOLLGATE_KEY: demo.apiKey } }
})
afterAll(() => installation.stop())

test('the curl call of the README is answered, and its audit agrees', async () => {
  const printed = await runDocument('README.md', run)
  expect(printed).toContain('"object":"chat.completion"')
  expect(printed).toContain('svc/chat-default, 1 call')
  expect(printed).toContain('The read model agrees with the ledger.')
})

test('the JavaScript call of docs/callers.md streams its answer', async () => {
  const [code = ''] = runnableBlocks('docs/callers.md', 'js', run)
  const printed = await runProgram('node', ['--input-type=module', '-e', code], run)
  expect(printed).toContain('This is the Tollgate sandbox')
})

test('the calls of docs/callers.md do what the page says', async () => {
  const printed = await runDocument('docs/callers.md', run)
  expect(printed).toMatch(/^x-credits-charged: 0\./m)
  const streamed = printed.split('\n').filter((line) => line.startsWith('data: '))
  expect(streamed.at(-1)).toBe('data: [DONE]')
  expect(streamed.at(-2)).toMatch(/"choices":\[\],"usage":\{/)
  // curl prints no line feed after a body, so a header may follow one on its line.
  const [first, claimed, replayed] = [...printed.matchAll(/x-request-id: (\S+)/g)].map(([, id]) => id)
  expect(claimed).not.toBe(first)
  expect(replayed).toBe(claimed)
  expect(printed).toContain('idempotent-replayed: true')
  expect(printed).toContain('"name":"Jane Doe"')
  expect(printed).toContain('"object":"usage"')
  expect(printed).toContain('"structuredContent"')
})

test('docs/callers.md lists the routes of the OpenAPI document and no other', async () => {
  const answer = await fetch(`${installation.demo.gatewayUrl}/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> }
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/llm\/v1/, '')}`),
  )
  const undescribed = ['GET /docs', 'GET /openapi.json', 'POST /mcp']
  const rows = [...readMarkdown('docs/callers.md').text.matchAll(/^\| (`(?:GET|POST) .*?`) \|/gm)]
  const listed = rows.flatMap(([, cell]) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, place]) => place ?? ''))
  expect(listed.toSorted()).toEqual([...documented, ...undescribed].toSorted())
})

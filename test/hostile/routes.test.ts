import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyRoute, SERVICES } from './routes.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The files that serve routes: each takes them from a list that `everyRoute` reads. */
const ASSEMBLED_IN = [
  'capabilities/runService.ts',
  'services/ai/createAi.ts',
  'services/backend/backend.ts',
  'services/gateway/createGateway.ts',
  'services/sandbox/sandbox.ts',
]

test('every file that serves routes takes them from a list that the attacks enumerate', () => {
  const files = globSync('{platform,capabilities,services}/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
  const sources = files.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
  const serving = sources.filter(
    ({ file, text }) => /\b(createApp|endpoint)\(/.test(text) && file !== 'platform/http/createApp.ts',
  )
  expect(serving.map(({ file }) => file).sort()).toEqual(ASSEMBLED_IN)
  const inline = serving.flatMap(({ text }) => [...text.matchAll(/routes: \[/g)])
  expect(inline).toEqual([])
})

test('every service has routes, and no two have the same name', () => {
  const routes = everyRoute()
  expect(new Set(routes.map(({ service }) => service))).toEqual(new Set(SERVICES))
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
})

test('the body of every POST route that reads one is described, so that attacks can begin with a valid one', () => {
  const withoutBody = everyRoute().filter(({ method, bodies }) => method === 'POST' && Object.keys(bodies).length === 0)
  expect(withoutBody.map(({ name }) => name).sort()).toMatchInlineSnapshot(`
    [
      "ai POST /api/v1/background-tasks/match-score-generator/start",
      "ai POST /api/v1/background-tasks/match-score-generator/stop",
      "sandbox ALL /v1/*path",
      "sandbox ALL /v1/chat/*path",
      "sandbox ALL /v1/completions",
      "sandbox ALL /v1/embeddings",
      "sandbox ALL /v1/messages",
      "sandbox ALL /v1/models",
      "sandbox ALL /v1/responses",
    ]
  `)
})

import { expect, test } from 'vitest'
import type { Example } from './example.ts'
import { snippetsFor } from './snippets.ts'

const KEY = { gatewayUrl: 'https://llm.example', secret: 'tg_secret', scopes: ['inference:chat'] }
const example: Example = { model: 'acme/fast', apis: ['messages', 'chat'], isProven: true }
const namesFor = (changed: Partial<Parameters<typeof snippetsFor>[0]>) =>
  snippetsFor({ ...KEY, example, ...changed }).map(({ name }) => name)

test('each snippet names the given model and an API that it serves', () => {
  expect(namesFor({})).toEqual(['curl', 'Python', 'JavaScript', 'Anthropic', 'MCP'])
  expect(namesFor({ example: { ...example, apis: ['embeddings'] } })).toEqual(['Embeddings', 'MCP'])
  const texts = snippetsFor({ ...KEY, example }).map(({ text }) => text)
  expect(texts.slice(0, -1).every((text) => text.includes('acme/fast'))).toBe(true)
  expect(texts.join().includes('svc/')).toBe(false)
})

test('without a known model, the first snippet lists those that the key may call', () => {
  expect(namesFor({ example: null })).toEqual(['Models', 'MCP'])
  expect(snippetsFor({ ...KEY, example: null })[0]?.text).toBe(
    "curl -s https://llm.example/llm/v1/models \\\n  -H 'Authorization: Bearer tg_secret'",
  )
})

test('the API of a model that was never called is not certain, so a snippet tells it', () => {
  expect(namesFor({ example: { ...example, apis: ['chat'], isProven: false } })).toEqual([
    ...['curl', 'Python', 'JavaScript', 'Models', 'MCP'],
  ])
})

test('a key that may not call models has no snippets with a model', () => {
  expect(namesFor({ scopes: ['usage:read', 'jobs:read'] })).toEqual(['Usage', 'MCP'])
  expect(namesFor({ scopes: ['inference:parse'] })).toEqual(['MCP'])
})

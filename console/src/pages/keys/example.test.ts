import { expect, test } from 'vitest'
import { exampleOf } from './example.ts'

const CALLS = [
  { alias: 'svc/extract', endpoint: '/parse/cv' },
  { alias: 'svc/embed', endpoint: '/embeddings' },
  { alias: 'acme/chat', endpoint: '/messages' },
  { alias: 'acme/chat', endpoint: '/chat/completions' },
  { alias: 'acme/chat', endpoint: '/messages' },
]

test('a key for every model gets the last chat model that was called, with each of its APIs', () => {
  expect(exampleOf(null, CALLS)).toEqual({ model: 'acme/chat', apis: ['messages', 'chat'], isProven: true })
})

test('a limited key gets a model that it may call, on an API by which it was called', () => {
  expect(exampleOf(['svc/embed', 'svc/other'], CALLS)).toEqual({
    ...{ model: 'svc/embed', apis: ['embeddings'], isProven: true },
  })
})

test('a model that was never called is assumed to serve the chat API', () => {
  expect(exampleOf(['svc/new'], CALLS)).toEqual({ model: 'svc/new', apis: ['chat'], isProven: false })
})

test('calls of parsers are no example, and without a known model there is none', () => {
  expect(exampleOf(null, CALLS.slice(0, 1))).toBeNull()
  expect(exampleOf(null, [])).toBeNull()
})

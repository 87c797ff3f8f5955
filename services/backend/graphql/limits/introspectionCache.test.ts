import { buildSchema, type ExecutionArgs, getIntrospectionQuery } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { beforeEach, expect, test } from 'vitest'
import { introspectionCache } from './introspectionCache.ts'

const schema = buildSchema('type Query { a(n: Int): Int }')
let executions = 0
beforeEach(() => {
  executions = 0
})

const counting: Plugin = {
  onExecute: ({ executeFn, setExecuteFn }) => {
    setExecuteFn((args: ExecutionArgs) => {
      executions++
      return executeFn(args)
    })
  },
}

function asker(charsMax?: number) {
  const yoga = createYoga({ schema, plugins: [introspectionCache(charsMax), counting], logging: false })
  return async (body: object) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const answer = await yoga.fetch('http://a/graphql', { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.text()
  }
}

const STANDARD = getIntrospectionQuery()

test.each([
  ['the standard query', { query: STANDARD, operationName: 'IntrospectionQuery' }],
  ['a type', { query: '{ __type(name: "Query") { name } }' }],
  [
    'in fragments',
    { query: '{ ...A ... on Query { __typename } } fragment A on Query { __schema { types { name } } }' },
  ],
])('introspection is executed once for the same document: %s', async (_, body) => {
  const ask = asker()
  const first = await ask(body)
  expect(first).toContain('"data"')
  expect(await ask(body)).toBe(first)
  expect(executions).toBe(1)
})

test.each([
  ['data', { query: '{ a }' }],
  ['data beside the schema', { query: '{ __typename a }' }],
  ['data in a fragment', { query: '{ __typename ...A } fragment A on Query { a }' }],
  ['variables', { query: 'query ($n: String!) { __type(name: $n) { name } }', variables: { n: 'Query' } }],
])('other operations are executed each time: %s', async (_, body) => {
  const ask = asker()
  await ask(body)
  await ask(body)
  expect(executions).toBe(2)
})

test('the operation name is part of the key', async () => {
  const ask = asker()
  expect(await ask({ query: 'query a { __typename }' })).toContain('data')
  expect(await ask({ query: 'query a { __typename }', operationName: 'b' })).toContain('errors')
})

test('the least recently used answers make room for new ones', async () => {
  const ask = asker(200)
  const about = (n: number) => ({ query: `{ a${n}: __typename }` })
  for (let n = 0; n < 10; n++) await ask(about(n))
  expect(executions).toBe(10)
  await ask(about(9))
  expect(executions).toBe(10)
  await ask(about(0))
  expect(executions).toBe(11)
  for (let n = 20; n < 30; n++) {
    await ask(about(n))
    await ask(about(9))
  }
  expect(executions).toBe(21)
})

test('an answer larger than the cache is not kept, and others stay', async () => {
  const ask = asker(1_000)
  await ask({ query: '{ __typename }' })
  const [first, second] = [await ask({ query: STANDARD }), await ask({ query: STANDARD })]
  expect(second).toBe(first)
  expect(executions).toBe(3)
  await ask({ query: '{ __typename }' })
  expect(executions).toBe(3)
})

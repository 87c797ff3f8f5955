import { connect } from 'node:net'
import { getIntrospectionQuery } from 'graphql'
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENT_BYTES_MAX } from '../../../contracts/limits.ts'
import { MULTIPART_OVERHEAD_BYTES_MAX } from '../../../platform/http/body/requestBody.ts'
import { type BackendHarness, bearer, startBackendHarness } from '../../../test/support/harness/backendHarness.ts'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { GRAPHQL_BATCH_MAX } from '../graphql/api.ts'
import { GRAPHQL_BODY_BYTES_MAX } from '../graphql/limits/bodyLimit.ts'
import {
  GRAPHQL_ALIASES_MAX,
  GRAPHQL_COST_MAX,
  GRAPHQL_DEPTH_MAX,
  GRAPHQL_TOKENS_MAX,
} from '../graphql/limits/protections.ts'
import { GraphqlLoader } from '../graphql/loadGraphql.ts'

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ projector: true })
})
afterAll(() => backend.close())

describe('GraphQL over HTTP, with every limit on', () => {
  test.each(serverAudits({ url: () => `${backend.url}/graphql` }).map((audit) => [audit.name, audit] as const))(
    '%s',
    async (_, audit) => {
      expect(await audit.fn()).toMatchObject({ status: 'ok' })
    },
  )
})

test.each([
  ['an answer', { query: '{ __typename }' }, 200],
  ['errors', { query: '{ nothing }' }, 200],
  ['a refusal', '[', 400],
])('%s is not stored by caches, nor taken for another type', async (_, body, status) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await call(backend.url, '/graphql', { body, headers })
  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
})

test('a request that is too large is refused with the same headers', async () => {
  const query = `{ __typename } #${'x'.repeat(GRAPHQL_BODY_BYTES_MAX)}`
  const { headers } = await call(backend.url, '/graphql', { body: { query } })
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
})

test('the page that a checkout returns to cannot be shown in a frame', async () => {
  const { headers } = await call(backend.url, '/payments/return?outcome=paid')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
})

describe('introspection', () => {
  test('needs no token', async () => {
    expect((await backend.ask('{ __typename }')).data).toEqual({ __typename: 'Query' })
    const { data } = await backend.ask('{ __schema { subscriptionType { name } types { name fields { name } } } }')
    expect(data.__schema.subscriptionType.name).toBe('SubscriptionRoot')
  })

  test('is answered from a cache', async () => {
    const { api } = await new GraphqlLoader(backend.runtime).load()
    const arrival = { transport: 'http', clientAddress: '', correlationId: '', credentials: null } as const
    const { schema, parse, execute, contextFactory } = api.getEnveloped({ arrival })
    const document = parse('{ __schema { queryType { name } } }')
    const ask = async () => execute({ schema, document, contextValue: await contextFactory() })
    expect(await ask()).toBe(await ask())
  })

  test('shows exactly six fields of CreditPackOutput, and asking for another does not run', async () => {
    const { data } = await backend.ask('{ __type(name: "CreditPackOutput") { fields { name } } }')
    expect(data.__type.fields.map(({ name }: { name: string }) => name)).toEqual(
      'id name credits price currency sortOrder'.split(' '),
    )
    const pack = 'name: "p", credits: 1, price: 1, currency: "usd", sortOrder: 1'
    const { superAdmin, runtime } = backend
    const before = await runtime.engines.store.head()
    const reply = await backend.ask(
      `mutation { createCreditPack(input: {${pack}}) { id status } }`,
      {},
      superAdmin.token,
    )
    expect(reply).toMatchObject({ data: undefined, code: 'BAD_USER_INPUT' })
    expect(reply.errors?.[0].message).toMatch(/Cannot query field "status"/)
    expect(await runtime.engines.store.head()).toBe(before)
  })
})

describe('a request beyond a limit is refused', () => {
  const refused = async (query: string) => {
    const { status, json } = await call(backend.url, '/graphql', {
      body: { query },
      headers: { accept: 'application/graphql-response+json' },
    })
    expect(json.data).toBeUndefined()
    expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT')
    return { status, message: json.errors[0].message }
  }

  test('too deep', async () => {
    const deep = `{ __type(name: "A") { ${'ofType { '.repeat(GRAPHQL_DEPTH_MAX)} name ${'}'.repeat(GRAPHQL_DEPTH_MAX)} } }`
    expect(await refused(deep)).toEqual({ status: 400, message: expect.stringMatching(/depth limit/) })
  })

  test('too deep in fragments', async () => {
    const fragments = Array.from(
      { length: GRAPHQL_DEPTH_MAX },
      (_, n) => `fragment F${n} on __Type { ofType { ...F${n + 1} } }`,
    )
    const query = `{ __type(name: "A") { ...F0 } } ${fragments.join(' ')} fragment F${GRAPHQL_DEPTH_MAX} on __Type { name }`
    expect((await refused(query)).message).toMatch(/depth limit/)
  })

  test('too many aliases: guessing passwords in one request', async () => {
    const guesses = Array.from(
      { length: GRAPHQL_ALIASES_MAX + 1 },
      (_, n) => `a${n}: login(email: "a@b.example", password: "${n}") { token }`,
    )
    expect((await refused(`mutation { ${guesses.join(' ')} }`)).message).toMatch(/Aliases limit/)
  })

  test('too many tokens', async () => {
    expect((await refused(`{ ${'__typename '.repeat(GRAPHQL_TOKENS_MAX)} }`)).message).toMatch(/more that 2000 tokens/)
  })

  test('too costly', async () => {
    const query = `{ creditTransactions(first: ${GRAPHQL_COST_MAX}) { nodes { id } } }`
    expect((await refused(query)).message).toMatch(/Cost limit/)
  })

  test('too many in a batch', async () => {
    const batch = (length: number) => Array.from({ length }, () => ({ query: '{ __typename }' }))
    expect((await call(backend.url, '/graphql', { body: batch(GRAPHQL_BATCH_MAX) })).json).toHaveLength(
      GRAPHQL_BATCH_MAX,
    )
    const { status, json } = await call(backend.url, '/graphql', { body: batch(GRAPHQL_BATCH_MAX + 1) })
    expect({ status, code: json.errors[0].extensions.code }).toEqual({ status: 413, code: 'BAD_USER_INPUT' })
  })

  test.each([
    ['the same field', (count: number) => `{ ${'creditPacks { id } '.repeat(count)} }`],
    ['the same field in fragments', (count: number) => `{ ${'... on Query { creditPacks { id } } '.repeat(count)} }`],
    ['the same alias', (count: number) => `{ ${Array.from({ length: count }, (_, n) => `x:f${n}`).join(' ')} }`],
  ])('%s too often, before the validation compares every two of them', async (_, query) => {
    expect((await refused(query(210))).message).toMatch(/repeat the same fields/)
    const { text } = await call(backend.url, '/graphql', { body: { query: query(20) } })
    expect(text).not.toMatch(/repeat the same fields/)
  })

  test('with many errors, of which the first few are reported', async () => {
    const query = `{ ${Array.from({ length: 500 }, (_, n) => `creditPakcs${n}`).join(' ')} }`
    const { json } = await call(backend.url, '/graphql', { body: { query } })
    expect(json.errors).toHaveLength(11)
    expect(json.errors[0].message).toContain('Did you mean "creditPacks"')
  })

  test('fields that are repeated by the operations of a batch together', async () => {
    const query = `{ ${'creditPacks { id } '.repeat(45)} }`
    const { text } = await call(backend.url, '/graphql', { body: Array.from({ length: 10 }, () => ({ query })) })
    expect(text.match(/repeat the same fields/g)).toHaveLength(1)
  })

  describe('too much introspection', () => {
    const standard = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, specifiedByUrl: true })
    const askAll = async (body: object) => {
      const { text } = await call(backend.url, '/graphql', { body })
      return { bytes: text.length, codes: [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code) }
    }

    test('one standard introspection query passes, alone and beside other operations', async () => {
      expect((await askAll({ query: standard })).codes).toEqual([])
      expect((await askAll([{ query: standard }, { query: '{ __typename }' }])).codes).toEqual([])
    })

    test('the same query ten times in a batch is answered once', async () => {
      const one = await askAll({ query: standard })
      const ten = await askAll(Array.from({ length: 10 }, () => ({ query: standard })))
      expect(ten.codes).toEqual(Array.from({ length: 9 }, () => 'BAD_USER_INPUT'))
      expect(ten.bytes).toBeLessThan(one.bytes + 5_000)
    })

    const deepField =
      '{ name description type { name ofType { name ofType { name } } } args { name description type { name } } }'
    const aliased = Array.from({ length: 29 }, (_, n) => `a${n}: __schema { types { fields ${deepField} } }`)
    const chained = Array.from(
      { length: 20 },
      (_, n) => `fragment F${n} on __Type { ...F${n + 1} x${n}: ofType { ...F${n + 1} } }`,
    )
    test.each([
      ['aliases', `{ ${aliased.join(' ')} }`],
      ['nested lists', '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }'],
      ['spreads', `{ __schema { types { ...F0 } } } ${chained.join(' ')} fragment F20 on __Type { name }`],
    ])('by %s', async (_how, query) => {
      expect((await askAll({ query })).codes).toEqual(['BAD_USER_INPUT'])
    })
  })

  test('too many tokens in a batch together', async () => {
    const half = `{ ${'... @include(if: true) { __typename } '.repeat(GRAPHQL_TOKENS_MAX / 22 + 1)} }`
    const { json } = await call(backend.url, '/graphql', { body: [{ query: half }, { query: half }] })
    expect(json[0]).toEqual({ data: { __typename: 'Query' } })
    expect(json[1].errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })

  test('too large, with or without a length', async () => {
    const query = `{ __typename } #${'x'.repeat(GRAPHQL_BODY_BYTES_MAX)}`
    const { status, json } = await call(backend.url, '/graphql', { body: { query } })
    expect({ status, code: json.errors[0].extensions.code }).toEqual({ status: 413, code: 'BAD_USER_INPUT' })
    const body = new Blob([JSON.stringify({ query })]).stream()
    const headers = { 'content-type': 'application/json' }
    const streamed = await fetch(`${backend.url}/graphql`, {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit)
    expect(streamed.status).toBe(413)
  })
})

describe('a file', () => {
  const upload = (bytes: number, token: string | null) => {
    const query = 'mutation ($file: Upload!) { uploadCv(file: $file) { id } }'
    const form = new FormData()
    form.set('operations', JSON.stringify({ query, variables: { file: null } }))
    form.set('map', JSON.stringify({ 0: ['variables.file'] }))
    form.set('0', new File(['x'.repeat(bytes)], 'cv.txt', { type: 'text/plain' }))
    return fetch(`${backend.url}/graphql`, { method: 'POST', body: form, headers: bearer(token) })
  }

  test.each([
    ['whose operation is nested deeply', { operations: '['.repeat(100_000) }],
    ['whose operation has many values', { operations: `[${'1,'.repeat(100_000)}1]` }],
    ['whose list of places has many members', { map: `{${'"a":0,'.repeat(50_000)}"a":0}` }],
    ['whose operation is longer than a body may be', { operations: 'x'.repeat(GRAPHQL_BODY_BYTES_MAX + 1) }],
  ])('%s is refused before it is parsed', async (_, fields) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ operations: '{}', map: '{}', ...fields })) form.set(name, value)
    const headers = bearer(backend.admin.token)
    const answer = await fetch(`${backend.url}/graphql`, { method: 'POST', body: form, headers })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('too large or too complex')
  })

  test('without a valid token is refused before it is read', async () => {
    const answer = await upload(1_000, 'not-a-token')
    expect(await backend.reply(answer)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  })

  test('for a place that the variables do not have is refused', async () => {
    const query = 'mutation ($i: PostJobInput!) { postJob(input: $i) { id } }'
    const form = new FormData()
    form.set('operations', JSON.stringify({ query, variables: { i: { title: 'Engineer', requirements: [] } } }))
    form.set('map', JSON.stringify({ 0: ['variables.i.requirements.100'] }))
    form.set('0', new File(['x'], 'cv.txt'))
    const headers = bearer(backend.admin.token)
    const reply = await backend.reply(await fetch(`${backend.url}/graphql`, { method: 'POST', body: form, headers }))
    expect(reply).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' })
    expect(reply.errors?.[0].message).toMatch(/requirements\.100.*does not lead to a null/)
  })

  test('that comes with very many others is refused', async () => {
    const form = new FormData()
    for (let n = 0; n < 1_000; n++) form.append(String(n), new File(['x'], 'cv.txt'))
    const headers = bearer(backend.admin.token)
    const answer = await fetch(`${backend.url}/graphql`, { method: 'POST', body: form, headers })
    expect(await backend.reply(answer)).toMatchObject({ status: 400, code: 'BAD_USER_INPUT' })
  })

  test('comes with the operation, by the multipart request specification', async () => {
    const { errors } = await backend.reply(await upload(1_000, backend.admin.token))
    // Whatever the result: the operation got a file.
    expect(errors?.[0]?.message ?? '').not.toMatch(/multipart|Upload|\$file/)
  })

  test('beyond 10 MiB is refused with 413 before it is parsed', async () => {
    const response = await upload(DOCUMENT_BYTES_MAX + MULTIPART_OVERHEAD_BYTES_MAX, backend.admin.token)
    expect(response.status).toBe(413)
  })

  test('is refused when the variable holds text instead', async () => {
    const query = 'mutation { uploadCv(file: "text") { id } }'
    expect((await backend.ask(query, {}, backend.admin.token)).code).toBe('BAD_USER_INPUT')
  })
})

describe('a request that a form of another site could send', () => {
  const query = 'mutation { login(email: "a@b.example", password: "x") { token } }'
  test.each([
    ['text/plain', JSON.stringify({ query })],
    ['application/x-www-form-urlencoded', new URLSearchParams({ query }).toString()],
    [
      'multipart/form-data; boundary=x',
      `--x\r\ncontent-disposition: form-data; name="query"\r\n\r\n${query}\r\n--x--\r\n`,
    ],
  ])('%s is not run', async (type, body) => {
    const { status, json } = await call(backend.url, '/graphql', { body, headers: { 'content-type': type } })
    expect({ status, code: json.errors[0].extensions.code }).toEqual({ status: 400, code: 'BAD_USER_INPUT' })
  })

  test('no CORS header lets another site read an answer', async () => {
    const headers = { origin: 'https://elsewhere.example', 'content-type': 'application/json' }
    const answer = await call(backend.url, '/graphql', { body: { query: '{ __typename }' }, headers })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('a mutation by GET is refused with 405', async () => {
    const { status } = await call(backend.url, `/graphql?query=${encodeURIComponent(query)}`)
    expect(status).toBe(405)
  })
})

describe('an internal error', () => {
  test('is masked: the answer has only the id of its log line', async () => {
    const { runtime, admin } = backend
    const { database } = runtime.engines
    await database.query('alter table read_models.jobs rename to jobs_away')
    const reply = await backend.ask('{ jobs { id } }', {}, admin.token)
    await database.query('alter table read_models.jobs_away rename to jobs')
    expect(reply.code).toBe('INTERNAL_SERVER_ERROR')
    expect(JSON.stringify(reply.errors)).not.toMatch(/jobs_away|relation "|read_models|\.ts/)
    expect(reply.errors?.[0].extensions.correlationId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('input that cannot be stored or read', () => {
  const company = async (query: string, variables: object = {}) => {
    const { code, errors, status } = await backend.ask(query, variables, backend.admin.token)
    return { code, message: errors?.[0].message, status }
  }
  const nested = (depth: number): object => {
    let value: object = {}
    for (let n = 0; n < depth; n++) value = { a: value }
    return value
  }
  const POST_JOB = 'mutation ($input: PostJobInput!) { postJob(input: $input) { id } }'
  const job = (changes: object) => ({ input: { title: 'Engineer', requirements: [], ...changes } })
  const NUL = { code: 'BAD_USER_INPUT', message: expect.stringMatching(/NUL/) }

  test.each([
    [
      'a variable of a query',
      'query ($room: String) { meetingInsights(room: $room) { nodes { id } } }',
      { room: 'a\0b' },
    ],
    ['a literal of a query', '{ meetingInsights(room: "a\\u0000b") { nodes { id } } }', {}],
    ['a block string', `{ meetingInsights(room: ${'}a\0b${'}) { nodes { id } } }`, {}],
    ['an id', '{ usage(keyId: "a\\u0000") { nodes { group } } }', {}],
    ['a default value', 'query ($room: String = "\\u0000") { meetingInsights(room: $room) { nodes { id } } }', {}],
    ['a log-in', 'mutation ($e: String!) { login(email: $e, password: "x") { token } }', { e: 'a\0@b.example' }],
    ['a field name of an object', POST_JOB, job({ metadata: { 'a\0': 1 } })],
    ['a nested value', POST_JOB, job({ metadata: { a: [{ b: 'x\0' }] } })],
  ])('NUL in %s is BAD_USER_INPUT', async (_, query, variables) => {
    const { code, message } = await company(query, variables)
    expect(code).toBe('BAD_USER_INPUT')
    expect(message).toMatch(/NUL|Syntax Error/)
  })

  test('a lone surrogate is BAD_USER_INPUT', async () => {
    expect(await company(POST_JOB, job({ title: 'a\ud800' }))).toMatchObject({ ...NUL, message: /surrogate/ })
  })

  /** As text, because JSON.stringify cannot write such values. */
  const withText = async (field: string, text: string) => {
    const body = `{"query":${JSON.stringify(POST_JOB)},"variables":{"input":{"title":"x","requirements":[],"${field}":${text}}}}`
    const headers = { 'content-type': 'application/json', ...bearer(backend.admin.token) }
    const response = await fetch(`${backend.url}/graphql`, { method: 'POST', headers, body })
    const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] }
    return { code: errors[0]?.extensions.code, message: errors[0]?.message }
  }
  const TOO_DEEP = { code: 'BAD_USER_INPUT', message: expect.stringMatching(/levels deep/) }

  test.each([40, 100, 20_000])('an object of %i levels is BAD_USER_INPUT', async (depth) => {
    expect(await withText('metadata', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)).toEqual(TOO_DEEP)
  })

  test.each(['title', 'requirements', 'metadata'])('lists of 50,000 levels as %s are BAD_USER_INPUT', async (field) => {
    expect(await withText(field, `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toEqual(TOO_DEEP)
  })

  test('literals of many levels are BAD_USER_INPUT', async () => {
    const metadata = `${'{a:'.repeat(300)}1${'}'.repeat(300)}`
    const query = `mutation { postJob(input: { title: "x", requirements: [], metadata: ${metadata} }) { id } }`
    expect(await company(query)).toMatchObject({ code: 'BAD_USER_INPUT' })
    const list = `mutation { postJob(input: { title: "x", requirements: ${'['.repeat(900)}${']'.repeat(900)} }) { id } }`
    expect(await company(list)).toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  test('objects of ordinary depth pass', async () => {
    expect((await company(POST_JOB, job({ metadata: nested(20) }))).code).toBeUndefined()
  })
})

test('a multipart/mixed answer has a content length and is complete', async () => {
  const { hostname, port } = new URL(backend.url)
  const body = JSON.stringify({ query: '{ __typename }' })
  const head = ['POST /graphql HTTP/1.1', 'host: backend', 'accept: multipart/mixed', 'content-type: application/json']
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
    socket.end(`${[...head, `content-length: ${body.length}`, 'connection: close'].join('\r\n')}\r\n\r\n${body}`)
  })
  const [headers = '', content = ''] = answer.split('\r\n\r\n', 2)
  expect(headers).toMatch(/^HTTP\/1.1 200/)
  expect(headers.toLowerCase()).not.toContain('transfer-encoding')
  expect(headers.match(/^connection:/gim)).toHaveLength(1)
  expect(Number(/content-length: (\d+)/i.exec(headers)?.[1])).toBe(answer.length - headers.length - 4)
  expect(content).not.toBe('')
  expect(answer).toContain('"__typename":"Query"')
})

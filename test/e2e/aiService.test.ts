import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { startCuttingProxy } from '../support/callers/cuttingProxy.ts'
import { AI_TOKEN, type AiHarness, startAiHarness } from '../support/harness/aiHarness.ts'
import { call } from '../support/harness/gatewayClient.ts'
import { until } from '../support/time/until.ts'

const GENERATOR = '/api/v1/background-tasks/match-score-generator'
const INTERNAL = [
  'GET /monitoring/stats',
  'GET /monitoring/operations',
  'GET /monitoring/app-logs',
  'GET /monitoring/errors',
  'GET /monitoring/ai-services',
  `GET ${GENERATOR}/status`,
  `POST ${GENERATOR}/stop`,
  `POST ${GENERATOR}/start`,
  `GET ${GENERATOR}/metrics`,
]
const ROOMS = ['created', 'destroyed'].map((what) => `POST /api/events/room/${what}`)
const PUBLIC = ['GET /health', 'GET /health/ready', 'GET /health/database', 'GET /health/live', 'GET /docs']

let ai: AiHarness
beforeAll(async () => {
  ai = await startAiHarness()
})
afterAll(() => ai.close())

const sent = (row: string, key: string | null) => {
  const [method = '', path = ''] = row.split(' ')
  return ai.send(path, { method, key })
}

describe('every documented route', () => {
  test.each(INTERNAL)('%s needs the internal token', async (row) => {
    for (const wrong of [null, 'a wrong one', `${AI_TOKEN}x`]) {
      const answer = await sent(row, wrong)
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(answer.json).toEqual({ error: 'this route needs the internal token' })
    }
    expect((await sent(row, AI_TOKEN)).status).toBe(200)
  })

  test.each(ROOMS)('%s needs the internal token and accepts a room event', async (row) => {
    const path = row.slice('POST '.length)
    const body = { event: `room_${path.split('/').at(-1)}`, room: 'a room', timestamp: '2026-03-01T10:00:00Z' }
    expect((await ai.send(path, { body })).status).toBe(401)
    expect((await ai.send(path, { body, key: AI_TOKEN })).status).toBe(200)
    expect((await ai.send(path, { body: { ...body, room: 7 }, key: AI_TOKEN })).status).toBe(400)
  })

  test.each(PUBLIC)('%s needs no token', async (row) => {
    expect((await sent(row, null)).status).toBe(200)
  })

  test('an unknown path or method is 404', async () => {
    expect((await ai.send('/nothing')).status).toBe(404)
    expect((await ai.send('/health', { method: 'POST' })).status).toBe(404)
    expect((await ai.get(`${GENERATOR}/start`)).status).toBe(404)
  })

  test('an unknown or invalid query parameter is refused by name', async () => {
    expect((await ai.get('/monitoring/app-logs?levle=info')).json.error).toMatch(/levle/)
    expect((await ai.get('/monitoring/app-logs?level=loud')).status).toBe(400)
    expect((await ai.get('/monitoring/app-logs?limit=0')).status).toBe(400)
    expect((await ai.get('/monitoring/app-logs?limit=many')).status).toBe(400)
    expect((await ai.get('/monitoring/app-logs?since=yesterday')).json.error).toMatch(/since/)
    expect((await ai.get('/health/ready?form=round')).status).toBe(400)
  })
})

describe('the documentation', () => {
  test('is valid OpenAPI 3.1 and describes every route', async () => {
    const { json } = await call(ai.url, '/openapi.json')
    const { valid, errors } = await new Validator().validate(structuredClone(json))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(json.openapi).toMatch(/^3\.1\./)
    for (const row of ['GET /metrics', ...INTERNAL, ...ROOMS, ...PUBLIC.filter((one) => !one.endsWith('/docs'))]) {
      const [method = '', path = ''] = row.split(' ')
      expect(json.paths[path]?.[method.toLowerCase()], row).toMatchObject({
        security: PUBLIC.includes(row) ? [] : [{ internalToken: [] }],
      })
    }
  })

  test('is a page that loads everything from this service', async () => {
    const page = await ai.send('/docs')
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*connect-src 'self'/)
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
    expect(assets.length).toBe(4)
    for (const path of assets) expect((await ai.send(path)).status, path).toBe(200)
    expect(page.text).not.toMatch(/https?:/)
  })
})

describe('readiness', () => {
  test('reports each component, and the workers by name', async () => {
    await ai.post(`${GENERATOR}/stop`)
    await until('the generator holds its lease', async () => (await ai.get('/health/ready')).json.status === 'healthy')
    expect((await ai.send('/health/ready')).json).toEqual({
      status: 'healthy',
      components: {
        database: { status: 'healthy', latency_ms: expect.any(Number) },
        workers: { status: 'healthy', active: expect.any(Number), idle: expect.any(Number) },
        circuit_breakers: { chat: 'closed', extract: 'closed', embed: 'closed' },
        match_score_generator: 'healthy',
        email_worker: expect.any(String),
        cv_worker: expect.any(String),
        document_worker: expect.any(String),
      },
    })
  })

  test('has a flat form', async () => {
    const { json } = await ai.send('/health/ready?form=flat')
    expect(Object.keys(json.components).sort()).toEqual([
      'cv_worker',
      'database',
      'document_worker',
      'email_worker',
      'match_score_generator',
    ])
    for (const status of Object.values(json.components)) expect(status).toEqual(expect.any(String))
  })

  test('is degraded within seconds after the database is gone, and the service keeps running', async () => {
    let cut: () => Promise<void> = async () => {}
    const alone = await startAiHarness({
      through: async (url) => {
        const target = new URL(url)
        const proxy = await startCuttingProxy({ host: target.hostname, port: Number(target.port) })
        cut = () => proxy.close()
        target.port = String(proxy.port)
        target.hostname = '127.0.0.1'
        return target.href
      },
    })
    await cut()
    const isDegraded = async () => {
      const { status, json } = await alone.send('/health/ready')
      expect(status).toBe(200)
      return (
        json.components.database.status === 'degraded' && json.components.match_score_generator === 'degraded' && json
      )
    }
    const { status, components } = await until('readiness is degraded', isDegraded)
    expect(status).toBe('degraded')
    expect(components.circuit_breakers).toEqual({ chat: 'closed', extract: 'closed', embed: 'closed' })
    expect((await alone.send('/health/database')).json).toMatchObject({ status: 'degraded', latency_ms: null })
    expect((await alone.send('/health')).json).toEqual({ status: 'healthy' })
    expect((await alone.send('/health/live')).json).toEqual({ status: 'alive' })
    expect((await alone.post(`${GENERATOR}/start`)).status).toBe(503)
    expect((await alone.get('/monitoring/ai-services')).status).toBe(200)
    await alone.close()
  })
})

describe('monitoring', () => {
  test('the statistics have the process, the machine and the lags', async () => {
    const { json } = await ai.get('/monitoring/stats')
    expect(json.projections.map(({ name }: { name: string }) => name)).toEqual(PROJECTIONS.map(({ name }) => name))
    expect(json.memory.rss_bytes).toBeGreaterThan(0)
  })

  test('the AI services are listed with their breakers, aliases and providers', async () => {
    const { json } = await ai.get('/monitoring/ai-services')
    expect(json.services).toMatchObject([
      { name: 'chat', alias: 'svc/chat-default', circuit_breaker: 'closed', providers: ['vendor-one'] },
      { name: 'extract', alias: 'svc/extract-default' },
      { name: 'embed', alias: 'svc/embed-default' },
    ])
  })

  test('logs are filtered by level, service, text and time, the newest first', async () => {
    const { log } = ai.runtime
    log.info({ marker: 'Quince' }, 'one')
    log.warn({ marker: 'quince' }, 'two')
    log.error({ marker: 'quince', password: 'hunter2' }, 'three')
    const found = async (query: string) =>
      (await ai.get(`/monitoring/app-logs?text=QUINCE&${query}`)).json.entries.map(
        (entry: { message: string }) => entry.message,
      )
    await until('all three entries are found', async () => (await found('')).length === 3)
    expect(await found('')).toEqual(['three', 'two', 'one'])
    expect(await found('level=warn')).toEqual(['three', 'two'])
    expect(await found('limit=1')).toEqual(['three'])
    expect(await found('service=ai')).toHaveLength(3)
    expect(await found('service=gateway')).toEqual([])
    expect(await found('since=2000-01-01T00:00:00Z')).toHaveLength(3)
    expect(await found('since=2999-01-01T00:00:00Z')).toEqual([])
    const errors = (await ai.get('/monitoring/errors?limit=5')).json
    expect(errors.entries[0]).toMatchObject({ level: 'error', message: 'three', service: 'ai' })
    expect(JSON.stringify(errors)).not.toContain('hunter2')
  })
})

import { describe, expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { connectionsFor, POOL_CONNECTIONS_MAX } from '../../platform/postgres/connectionLimits.ts'
import { CONNECTIONS_DEFAULT } from '../../platform/postgres/embedded/server.ts'
import { type Counts, planStack } from './plan.ts'

const REDIS = { REDIS_URL: 'redis://127.0.0.1:6379' }
const KAFKA = { KAFKA_BROKERS: '127.0.0.1:9092' }

function plan(env: Record<string, string>, counts: Partial<Counts> = {}) {
  return planStack(readConfig(env), { gateways: 1, projectors: 1, relays: 1, ...counts })
}
const names = (...args: Parameters<typeof plan>) => plan(...args).map((tier) => tier.map(({ name }) => name))
const ports = (...args: Parameters<typeof plan>) =>
  Object.fromEntries(
    plan(...args)
      .flat()
      .map(({ name, port }) => [name, port]),
  )

describe('the processes of a stack', () => {
  test('are one of each service; the gateway starts after the services that it needs', () => {
    expect(names({})).toEqual([['sandbox'], ['projector', 'reactor', 'ai', 'backend'], ['gateway']])
  })

  test('include the sandbox only in a sandbox installation, and relays only with Kafka', () => {
    expect(names({ SANDBOX: '0' })).toEqual([['projector', 'reactor', 'ai', 'backend'], ['gateway']])
    expect(names({ ...KAFKA }, { relays: 2 })[0]).toEqual(['relay 1', 'relay 2'])
  })

  test('need connections for the pool of each of them, for their event stores and for commands alongside them', () => {
    const processes = plan({ ...REDIS, ...KAFKA, SANDBOX: '1' }, { gateways: 3, projectors: 2, relays: 2 }).flat()
    expect(processes).toHaveLength(11)
    expect(connectionsFor(processes.length)).toBeGreaterThan((11 + 2) * (POOL_CONNECTIONS_MAX + 3))
    // The two threads of npm start.
    expect(connectionsFor(2)).toBeLessThanOrEqual(CONNECTIONS_DEFAULT)
  })

  test('have distinct ports, ten apart for several of one service', () => {
    expect(ports({ ...REDIS, ...KAFKA, SANDBOX: '1' }, { gateways: 3, projectors: 2, relays: 2 })).toEqual({
      'gateway 1': 4000,
      'gateway 2': 4010,
      'gateway 3': 4020,
      backend: 4001,
      ai: 4002,
      sandbox: 4003,
      'projector 1': 4004,
      'projector 2': 4014,
      reactor: 4005,
      'relay 1': 4006,
      'relay 2': 4016,
    })
  })
})

describe('a stack is refused', () => {
  test('with several gateways but without REDIS_URL', () => {
    expect(() => plan({}, { gateways: 2 })).toThrowError(/^REDIS_URL is not set: 2 gateways/)
    expect(() => plan(REDIS, { gateways: 2 })).not.toThrow()
  })

  test('when two processes would use the same port', () => {
    expect(() => plan({ ...REDIS, BACKEND_PORT: '4010' }, { gateways: 2 })).toThrowError(
      /^GATEWAY_PORT: gateway 2 and backend would both use port 4010/,
    )
  })

  test('when a port is 0 or above 65535', () => {
    expect(() => plan({ AI_PORT: '0' })).toThrowError(/^AI_PORT: ai cannot use port 0/)
    expect(() => plan({ ...REDIS, GATEWAY_PORT: '65530' }, { gateways: 2 })).toThrowError(/port 65540/)
  })
})

import { expect, test, vi } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { connectionsFor } from '../../platform/postgres/connectionLimits.ts'
import { reusablePorts } from '../../test/support/processes/reusablePorts.ts'
import { startStack } from './startStack.ts'

const asked = vi.hoisted((): object[] => [])
vi.mock('../../platform/postgres/embedded/supervisedPostgres.ts', () => ({
  startSupervisedPostgres: async (options: object) => {
    asked.push(options)
    throw new Error('no database in this test')
  },
}))

const SERVICES = ['GATEWAY', 'BACKEND', 'AI', 'SANDBOX', 'PROJECTOR', 'REACTOR', 'RELAY']

test('a stack asks the embedded database for the connections of all its processes', async () => {
  const ports = await reusablePorts(SERVICES.length)
  const config = readConfig({
    ...Object.fromEntries(SERVICES.map((service, n) => [`${service}_PORT`, String(ports[n])])),
    DATA_DIR: '/nonexistent',
    KAFKA_BROKERS: '127.0.0.1:9092',
    SANDBOX: '1',
  })
  const counts = { gateways: 1, projectors: 1, relays: 1 }
  await expect(startStack(config, counts, new AbortController().signal)).rejects.toThrow('no database in this test')
  expect(asked).toMatchObject([{ connectionsMin: connectionsFor(SERVICES.length) }])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { setupStatus } from './setupStatus.ts'

let models: ReadModels
let folder: string
let provider: Server
beforeAll(async () => {
  models = await ReadModels.open()
  for (const projection of PROJECTIONS) models.run(projection)
  await models.caughtUp(...PROJECTIONS)
  folder = mkdtempSync(join(tmpdir(), 'tollgate-test-setup-'))
  provider = createServer((_request, response) => void response.end('{}')).listen(0, '127.0.0.1')
  await new Promise((resolve) => provider.once('listening', resolve))
})
afterAll(async () => {
  provider.close().closeAllConnections()
  await models.close()
  rmSync(folder, { recursive: true })
})

async function providersStep(aliases: Record<string, object>) {
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  const providers = [{ name: 'vendor', baseUrl, model: 'm' }]
  const entries = Object.entries(aliases).map(([alias, fields]) => [alias, { ...fields, providers }])
  const PROVIDERS_FILE = join(folder, 'providers.json')
  writeFileSync(PROVIDERS_FILE, JSON.stringify({ aliases: Object.fromEntries(entries) }))
  const steps = await setupStatus({
    config: readConfig({ PROVIDERS_FILE }),
    database: models.database,
    clock: systemClock,
  })
  return steps.find(({ name }) => name === 'providers')
}

test('set-up recommends drain for the aliases whose abandoned calls are free, and is complete without it', async () => {
  const aliases = { 'acme/free': { abandoned: 'free' }, 'acme/unset': {}, 'acme/drained': { abandoned: 'drain' } }
  const hint =
    'No provider fails. Calls that callers leave are free for acme/free, acme/unset; ' +
    '"abandoned": "drain" in PROVIDERS_FILE charges what was used.'
  expect(await providersStep(aliases)).toEqual({ name: 'providers', done: true, hint })
})

test('set-up has nothing to recommend if every alias drains abandoned calls', async () => {
  const step = await providersStep({ 'acme/drained': { abandoned: 'drain' } })
  expect(step).toEqual({ name: 'providers', done: true, hint: 'No provider fails.' })
})

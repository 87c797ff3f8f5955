import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Runtime } from '../../capabilities/installation.ts'
import { DEMO_ACTOR } from '../../contracts/demoActor.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { userDecider } from '../../domain/user/decider.ts'
import { verifyPassword } from '../../platform/secrets/passwords.ts'
import { collect } from '../../test/support/events/events.ts'
import { type GatewayHarness, startGatewayHarness } from '../../test/support/harness/gatewayHarness.ts'
import { type DemoIdentity, demoFilePath } from './demoFile.ts'
import { prepareDemo } from './prepareInstallation.ts'

let harness: GatewayHarness
let runtime: Runtime
beforeAll(async () => {
  harness = await startGatewayHarness({ projector: false })
  runtime = { ...harness.runtime, config: { ...harness.runtime.config, sandbox: true } }
})
afterAll(() => harness.close())

async function prepared(): Promise<DemoIdentity> {
  await prepareDemo(runtime)
  return JSON.parse(readFileSync(demoFilePath(runtime.config.DATA_DIR), 'utf8'))
}

async function demoCompanies(): Promise<number> {
  const { events } = await runtime.engines.store.readAll({ after: BEGINNING, categories: ['company'], limit: 1_000 })
  return events.filter(({ type, metadata: { actor } }) => {
    return type === 'CompanyRegistered' && actor.kind === 'system' && actor.name === 'demo'
  }).length
}

async function rolesOf(companyId: string) {
  const state = await runtime.engines.commands.stateOf(companyDecider, streamName('company', companyId))
  return state.status === 'registered' ? state.members : null
}

async function acceptsPassword(userId: string, password: string): Promise<boolean> {
  const state = await runtime.engines.commands.stateOf(userDecider, streamName('user', userId))
  return state.status === 'registered' && (await verifyPassword(password, state.passwordHash))
}

test('a start without demo.json keeps the demo company and gives its users new passwords and a new key', async () => {
  const { store } = runtime.engines
  const first = await prepared()
  expect(await demoCompanies()).toBe(1)
  expect(await rolesOf(first.companyId)).toEqual({ [first.adminId]: 'OWNER', [first.auditorId]: 'AUDITOR' })
  const grants = await collect(store.readStream(streamName('ledger', first.companyId)))
  rmSync(demoFilePath(runtime.config.DATA_DIR))

  const second = await prepared()
  const { companyId, companyName, adminId, superAdminId, auditorId } = first
  expect(second).toMatchObject({ companyId, companyName, adminId, superAdminId, auditorId })
  expect(await demoCompanies()).toBe(1)
  expect(await collect(store.readStream(streamName('ledger', companyId)))).toEqual(grants)
  expect(await acceptsPassword(adminId, second.adminPassword)).toBe(true)
  expect(await acceptsPassword(superAdminId, second.superAdminPassword)).toBe(true)
  expect(await acceptsPassword(auditorId, second.auditorPassword)).toBe(true)
  expect(await acceptsPassword(adminId, first.adminPassword)).toBe(false)
  expect(second.apiKey).not.toBe(first.apiKey)
  expect(await collect(store.readStream(streamName('apiKey', second.keyId)))).toHaveLength(1)

  expect(await prepared()).toEqual(second)
})

test('an erased demo user is registered again, in the same company', async () => {
  const first = await prepared()
  await runtime.engines.commands.handle(
    userDecider,
    streamName('user', first.adminId),
    { type: 'EraseUser', userId: first.adminId, at: '2026-03-01T00:00:00.000Z' },
    { commandId: runtime.ids.uuid(), correlationId: first.companyId, actor: { kind: 'system', name: 'test' } },
  )
  rmSync(demoFilePath(runtime.config.DATA_DIR))
  const second = await prepared()
  expect(second.companyId).toBe(first.companyId)
  expect(second.adminId).not.toBe(first.adminId)
  expect(await acceptsPassword(second.adminId, second.adminPassword)).toBe(true)
  expect(await rolesOf(second.companyId)).toMatchObject({ [second.adminId]: 'OWNER' })
})

test('the demo of an earlier version gets an auditor at the next start, or a new password for the one that it has', async () => {
  const { auditorId, auditorEmail, auditorPassword, ...earlier } = await prepared()
  const upgrade = (file: object) => {
    writeFileSync(demoFilePath(runtime.config.DATA_DIR), JSON.stringify(file), { mode: 0o600 })
    return prepared()
  }
  const again = await upgrade(earlier)
  expect(again).toMatchObject({ ...earlier, auditorId, auditorEmail })
  expect(await acceptsPassword(auditorId, again.auditorPassword)).toBe(true)
  expect(await acceptsPassword(auditorId, auditorPassword)).toBe(false)

  const erasure = { type: 'EraseUser', userId: auditorId, at: '2026-03-01T00:00:00.000Z' } as const
  const context = { commandId: runtime.ids.uuid(), correlationId: earlier.companyId, actor: DEMO_ACTOR }
  await runtime.engines.commands.handle(userDecider, streamName('user', auditorId), erasure, context)
  const first = await upgrade(earlier)
  expect(first.auditorId).not.toBe(auditorId)
  expect(await acceptsPassword(first.auditorId, first.auditorPassword)).toBe(true)
  expect(await rolesOf(earlier.companyId)).toMatchObject({ [earlier.adminId]: 'OWNER', [first.auditorId]: 'AUDITOR' })
  expect(await prepared()).toEqual(first)
})

import { hash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '../../contracts/roles.ts'
import { streamName } from '../../contracts/streams.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { userDecider } from '../../domain/user/decider.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { members } from '../../projections/members/projection.ts'
import { users } from '../../projections/users/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { CommandHandler } from '../commands/commandHandler.ts'
import { PersonalData } from '../personalData/personalData.ts'
import { companyAddresses } from './companyAddresses.ts'

let models: ReadModels
let engines: Parameters<typeof companyAddresses>[0]
beforeAll(async () => {
  models = await ReadModels.open()
  const { database, store } = models
  for (const model of [users, members]) await models.rebuild(model)
  const personal = new PersonalData(database)
  const commands = new CommandHandler(store, new PursuingAppender(store, systemClock), personal)
  engines = { database, personal, commands }
})
afterAll(() => models.close())

const context = () => ({
  commandId: randomUUID(),
  correlationId: 'test',
  actor: { kind: 'system', name: 'test' } as const,
})
const at = isoTime(systemClock.now())

async function register(companyId: string, role: Role, email: string): Promise<string> {
  const userId = randomUUID()
  const { commands } = engines
  const change = { companyId, unrecorded: [], byOwner: true, at }
  const assign = { type: 'AssignRole', userId, role, ...change } as const
  await commands.handle(companyDecider, streamName('company', companyId), assign, context())
  const secrets = { emailLookup: hash('sha256', email), passwordHash: '$scrypt$test', isSuperAdmin: false }
  const user = { type: 'RegisterUser', userId, companyId, email, ...secrets, at } as const
  await commands.handle(userDecider, streamName('user', userId), user, context())
  return userId
}

test('the addresses of a company are known before its people are in the read model', async () => {
  const companyId = randomUUID()
  const create = { type: 'RegisterCompany', companyId, name: 'Acme', billingMode: 'PREPAID', at } as const
  await engines.commands.handle(companyDecider, streamName('company', companyId), create, context())
  expect(await companyAddresses(engines, companyId, 5)).toEqual([])
  const ownerId = await register(companyId, 'OWNER', 'owner@acme.example')
  await register(companyId, 'DEVELOPER', 'dev@acme.example')
  await register(companyId, 'BILLING', 'bills@acme.example')
  const both = ['owner@acme.example', 'bills@acme.example']
  expect(await companyAddresses(engines, companyId, 5)).toEqual(both)
  expect(await companyAddresses(engines, companyId, 1)).toEqual(both.slice(0, 1))

  await engines.commands.handle(
    userDecider,
    streamName('user', ownerId),
    { type: 'EraseUser', userId: ownerId, at },
    context(),
  )
  expect(await companyAddresses(engines, companyId, 1)).toEqual(both.slice(1))
  for (const model of [users, members]) await models.rebuild(model)
  expect(await companyAddresses(engines, companyId, 5)).toEqual(both.slice(1))
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import { type StreamName, streamName } from '../../contracts/streams.ts'
import { type ApiKeyCommand, apiKeyDecider, type MintApiKey } from '../../domain/apiKey/decider.ts'
import { type CompanyCommand, companyDecider } from '../../domain/company/decider.ts'
import type { Decider } from '../../domain/decider.ts'
import { jobDecider } from '../../domain/job/decider.ts'
import { talentDecider } from '../../domain/talent/decider.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { withUpcasting } from '../../platform/eventStore/upcasting.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { collect } from '../../test/support/events/events.ts'
import { PersonalData } from '../personalData/personalData.ts'
import { type CommandContext, CommandHandler, StaleBasis } from './commandHandler.ts'

const AT = '2026-03-01T10:00:00.000Z'

let database: PostgresDatabase
let close: () => Promise<void>
let store: TypedEventStore
let handler: CommandHandler
let companyId: string
let stream: StreamName<'company'>

beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
  store = withUpcasting(new PostgresEventStore(database, systemClock))
  handler = new CommandHandler(store, new PursuingAppender(store, systemClock), new PersonalData(database))
})
afterAll(async () => {
  await store.close()
  await close()
})
beforeEach(() => {
  companyId = randomUUID()
  stream = streamName('company', companyId)
})

const intent = (commandId: string = randomUUID()): CommandContext => ({
  commandId,
  correlationId: 'a request',
  actor: { kind: 'user', id: 'an admin' },
})
const register = (name = 'Acme', at = AT): CompanyCommand => ({
  type: 'RegisterCompany',
  companyId,
  name,
  billingMode: 'PREPAID',
  at,
})
const changeHardCap = (hardCap: boolean): CompanyCommand => ({ type: 'ChangeHardCap', companyId, hardCap, at: AT })
const stored = () => collect(store.readStream(stream))

describe('a command', () => {
  test('based on a revision is refused once the stream has changed, and has no effect when repeated', async () => {
    await handler.handle(companyDecider, stream, register(), intent())
    const { revision } = await handler.stateWithRevision(companyDecider, stream)
    const first = { ...intent(), basedOn: revision }
    await handler.handle(companyDecider, stream, changeHardCap(true), first)
    await expect(
      handler.handle(companyDecider, stream, changeHardCap(false), { ...intent(), basedOn: revision }),
    ).rejects.toBeInstanceOf(StaleBasis)
    await handler.handle(companyDecider, stream, changeHardCap(true), first)
    expect(await stored()).toHaveLength(2)
  })

  test('is stored with its cause, and returns the position of its events', async () => {
    const context = intent()
    const result = await handler.handle(companyDecider, stream, register(), context)
    const [event] = await stored()
    expect(result).toEqual({ events: [{ type: event?.type, data: event?.data }], position: event?.position })
    expect(event?.metadata).toMatchObject({
      schemaVersion: 1,
      correlationId: context.correlationId,
      causationId: context.commandId,
      actor: context.actor,
    })
  })

  test('that decides nothing appends nothing, and returns the position of what was already done', async () => {
    const { position } = await handler.handle(companyDecider, stream, register(), intent())
    expect(await handler.handle(companyDecider, stream, changeHardCap(false), intent())).toEqual({
      events: [],
      position,
    })
    expect(await stored()).toHaveLength(1)
    const idle: Decider<null, object, CompanyEvent> = { initialState: () => null, evolve: () => null, decide: () => [] }
    const nowhere = streamName('company', randomUUID())
    expect(await handler.handle(idle, nowhere, {}, intent())).toEqual({ events: [], position: null })
    expect(await collect(store.readStream(nowhere))).toEqual([])
  })

  test('leaves no trace of a personal field in the metadata of its event', async () => {
    const talentId = randomUUID()
    const talent = {
      type: 'RegisterTalent',
      companyId,
      location: null,
      seniority: null,
      yearsOfExperience: null,
    } as const
    const fingerprints = []
    for (const name of ['Ada', 'Bob']) {
      const command = { ...talent, talentId, name, skills: [], languages: [], at: AT }
      const of = streamName('talent', randomUUID())
      await handler.handle(talentDecider, of, command, intent())
      const [event] = await collect(store.readStream(of))
      expect(JSON.stringify(event)).not.toContain(name)
      fingerprints.push(event?.metadata.fingerprint)
    }
    expect(fingerprints[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(fingerprints[0]).toBe(fingerprints[1])
  })

  test('that is refused appends nothing', async () => {
    await expect(handler.handle(companyDecider, stream, changeHardCap(true), intent())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await stored()).toEqual([])
  })

  test('whose event does not match its schema appends nothing and throws, because that is a bug', async () => {
    const command = { ...register(), companyId: 'no uuid' }
    await expect(handler.handle(companyDecider, stream, command, intent())).rejects.toThrow(
      /does not follow its schema/,
    )
    expect(await stored()).toEqual([])
  })
})

describe('a command id', () => {
  test('sent twice changes nothing the second time and returns the same, even at another time', async () => {
    const context = intent()
    const first = await handler.handle(companyDecider, stream, register(), context)
    await handler.handle(companyDecider, stream, changeHardCap(true), intent())
    const again = await handler.handle(companyDecider, stream, register('Acme', '2026-03-02T10:00:00.000Z'), context)
    expect(again).toEqual(first)
    expect(await stored()).toHaveLength(2)
  })

  test('sent twice concurrently is stored once, and both callers get the same result', async () => {
    const context = intent()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => handler.handle(companyDecider, stream, register(), context)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await stored()).toHaveLength(1)
  })

  test('with other input is refused', async () => {
    const context = intent()
    await handler.handle(companyDecider, stream, register(), context)
    await expect(handler.handle(companyDecider, stream, register('Other'), context)).rejects.toMatchObject({
      name: 'Refusal',
      code: 'CONFLICT',
    })
  })

  test('sent concurrently with different inputs is refused for all but one', async () => {
    const context = intent()
    const answers = await Promise.allSettled(
      ['Acme', 'Other', 'Third'].map((name) => handler.handle(companyDecider, stream, register(name), context)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stored()).toHaveLength(1)
  })

  test('distinguishes inputs that differ only in a nested field called "at"', async () => {
    const job = streamName('job', companyId)
    const post = (metadata: Record<string, unknown>) => ({
      type: 'PostJob' as const,
      jobId: companyId,
      companyId,
      title: 'Welder',
      location: null,
      employmentType: null,
      seniority: null,
      requirements: [],
      metadata,
      at: AT,
    })
    const context = intent()
    await handler.handle(jobDecider, job, post({ interview: { at: 'noon' } }), context)
    await expect(handler.handle(jobDecider, job, post({ interview: { at: 'six' } }), context)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('determines the ids of its events, which differ between streams', async () => {
    const context = intent('3b0f6f0e-2f43-4d53-9d57-1f6f2f6f2f6f')
    const fixed = streamName('company', '11111111-1111-4111-8111-111111111111')
    await handler.handle(companyDecider, fixed, { ...register(), companyId: fixed.slice(8) }, context)
    await handler.handle(companyDecider, stream, register(), context)
    const [here] = await collect(store.readStream(fixed))
    const [there] = await stored()
    expect(here?.id).toBe('86f624dd-e58e-5cbf-b8ee-e12bfd5e4efa')
    expect(there?.id).not.toBe(here?.id)
  })
})

describe('concurrent commands on one stream', () => {
  const keyId = () => companyId
  const mint = (): MintApiKey => ({
    type: 'MintApiKey',
    keyId: keyId(),
    companyId: randomUUID(),
    name: 'CI',
    hash: 'a'.repeat(64),
    hint: 'tg_abcd',
    scopes: ['inference:chat'],
    models: null,
    rpm: 60,
    tpm: 1_000,
    expiresAt: null,
    label: null,
    budget: null,
    rotatedFrom: null,
    at: AT,
  })

  test('are all carried out, 20 at once, if the rules allow all', async () => {
    const keyStream = streamName('apiKey', keyId())
    await handler.handle(apiKeyDecider, keyStream, mint(), intent())
    const rotations = Array.from(
      { length: 20 },
      (): ApiKeyCommand => ({ type: 'RotateApiKey', keyId: keyId(), siblingKeyId: randomUUID(), at: AT }),
    )
    await Promise.all(rotations.map((command) => handler.handle(apiKeyDecider, keyStream, command, intent())))
    expect(await collect(store.readStream(keyStream))).toHaveLength(21)
  })

  test('are refused by rule, 20 at once, except for the one that the rules allow', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => handler.handle(companyDecider, stream, register(`Acme ${n}`), intent())),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ name: 'Refusal', code: 'CONFLICT' })
    }
    expect(await stored()).toHaveLength(1)
  })
})

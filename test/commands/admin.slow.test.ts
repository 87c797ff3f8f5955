import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PersonalData } from '../../capabilities/personalData/personalData.ts'
import type { UserEvent } from '../../contracts/events/user.ts'
import { verifyPassword } from '../../platform/secrets/passwords.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { AT } from '../support/events/ledgerEvents.ts'
import { runScript, type ScriptRun } from '../support/processes/runScript.ts'

let models: ReadModels
let personal: PersonalData

beforeAll(async () => {
  models = await ReadModels.open()
  personal = new PersonalData(models.database)
})
afterAll(() => models.close())

const admin = (args: string[], input?: string): Promise<ScriptRun> =>
  runScript('admin.ts', args, { DATABASE_URL: models.database.url }, input)

const create = (email: string, ...options: string[]) => ['create-super-admin', '--email', email, ...options]

type Registered = Extract<UserEvent, { type: 'UserRegistered' }>['data']

async function registered(email: string): Promise<Registered[]> {
  const users = await models.events({ categories: ['user'] })
  const revealed = await personal.revealRows(
    users.map(({ data }) => data),
    'email',
  )
  return revealed.filter((data) => data.email === email) as Registered[]
}

describe('init', () => {
  let folder: string
  let providersFile: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-test-init-'))
    providersFile = join(folder, 'providers.json')
    const providers = [{ name: 'one', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }]
    await writeFile(
      providersFile,
      JSON.stringify({ aliases: { 'acme/fast': { providers }, 'acme/slow': { providers } } }),
    )
  })
  afterAll(() => rm(folder, { recursive: true }))

  const init = (args: string[], input = '') =>
    runScript(
      'admin.ts',
      ['init', ...args],
      { DATABASE_URL: models.database.url, DATA_DIR: folder, PROVIDERS_FILE: providersFile },
      input,
    )
  const people = ['--email', 'first@example.com', '--company', 'Acme Init', '--user', 'second@acme.example']
  const prices = ['--price', 'acme/slow=1,2,0.5,1.25,0.01', '--price', '*=500,1500']

  test('makes all that a first call needs; run again, it changes nothing and shows no secret', async () => {
    const args = [...people, ...prices, '--credits', '7.5', '--json']
    const first = await init(args, 'password of the first\npassword of the second\n')
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' })
    const made = JSON.parse(first.stdout)
    expect(made).toMatchObject({
      superAdmin: { email: 'first@example.com', created: true },
      company: { name: 'Acme Init', created: true },
      user: { email: 'second@acme.example', created: true },
      ...{ priced: ['acme/slow', 'acme/fast'], creditsGranted: '7.5' },
      key: { name: 'first key', secret: expect.stringMatching(/^tg_/) },
    })
    const { companyId } = made.company
    const [user] = await registered('second@acme.example')
    expect(user).toMatchObject({ companyId, isSuperAdmin: false })
    expect(await verifyPassword('password of the second', user?.passwordHash ?? '')).toBe(true)
    const events = await models.events({ categories: ['pricing', 'ledger', 'apiKey'] })
    expect(events.map(({ type }) => type)).toEqual(['PriceBookPublished', 'CreditsGranted', 'ApiKeyMinted'])
    expect(JSON.stringify(events)).not.toContain(made.key.secret)
    expect(events[0]?.data).toMatchObject({
      companyId: null,
      prices: {
        'acme/fast': { rates: { input: '500000000', output: '1500000000' } },
        'acme/slow': {
          rates: { input: '1000000', output: '2000000', cachedInput: '500000', cacheWrite: '1250000' },
          callMicros: '10000',
        },
      },
    })

    const head = await models.store.head()
    const again = await init(args)
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(again.stdout)).toMatchObject({
      superAdmin: { ...made.superAdmin, created: false },
      company: { companyId, created: false },
      user: { created: false },
      ...{ priced: [], creditsGranted: null },
      key: { keyId: made.key.keyId, secret: null },
    })
    expect(await models.store.head()).toBe(head)

    const dearer = await init([...people, '--price', 'acme/fast=600,1500', '--key-name', 'second key'])
    expect(dearer.stdout).toContain('Prices: published for acme/fast\n')
    expect(dearer.stdout).toMatch(/^Key second key, shown only once: tg_[\w-]+$/m)
  })

  test.each([
    ['--company is missing', ['--email', 'a@example.com'], 2],
    ['is not an amount of credits', [...people, '--price', '*=cheap'], 2],
    ['is not a model alias', [...people, '--price', 'GPT=1,2'], 2],
    ['credits must be more than zero', [...people, '--price', '*=1,2', '--credits', '0'], 2],
    [
      'is the address of a user who is no super admin',
      ['--email', 'second@acme.example', ...people.slice(2, 5), 'x@acme.example'],
      1,
    ],
    [
      'is the address of a user outside the company',
      [...people.slice(0, 2), '--company', 'Other', ...people.slice(4)],
      1,
    ],
    ['no password for new@example.com', ['--email', 'new@example.com', ...people.slice(2)], 1],
  ])('%s: refused before anything is changed', async (message, args, code) => {
    const head = await models.store.head()
    const refused = await init(args)
    expect(refused.stderr).toContain(message)
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code, stdout: '' })
    expect(await models.store.head()).toBe(head)
  })
})

describe('create-super-admin', () => {
  test('takes the password from standard input, and keeps only its hash', async () => {
    const { code, stdout, stderr } = await admin(create(' Root@Example.com', '--json'), 'correct horse\n')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [user, ...others] = await registered('root@example.com')
    expect(others).toEqual([])
    const stored = JSON.stringify(await models.events({ categories: ['user'] }))
    expect(stored).not.toContain('root@')
    expect(stored).not.toContain('correct horse')
    expect(user).toMatchObject({
      companyId: null,
      isSuperAdmin: true,
      passwordHash: expect.stringMatching(/^\$scrypt\$/),
    })
    expect(JSON.parse(stdout)).toEqual({ userId: user?.userId, email: 'root@example.com', isSuperAdmin: true })
    expect(await verifyPassword('correct horse', user?.passwordHash ?? '')).toBe(true)
  })

  test('--generate-password generates a password and prints it', async () => {
    const { code, stdout } = await admin(create('generated@example.com', '--generate-password'))
    const shown = /^Password, shown only once: ([\w-]{20})$/m.exec(stdout)?.[1] ?? ''
    const [user] = await registered('generated@example.com')
    expect(await verifyPassword(shown, user?.passwordHash ?? '')).toBe(true)
    expect(code).toBe(0)
  })

  test('refuses an address that another user has, in any spelling', async () => {
    const userId = '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a'
    const email = 'taken@example.com'
    const identity = { userId, companyId: null, email, emailLookup: await personal.lookupOf(email) }
    const data = { ...identity, passwordHash: '$scrypt$x', isSuperAdmin: false }
    await models.append(`user-${userId}`, { type: 'UserRegistered', data: { ...data, registeredAt: AT } })
    const { code, stdout, stderr } = await admin(create('TAKEN@example.com', '--generate-password'))
    expect(stderr).toBe(`tollgate: taken@example.com is already the address of user ${userId}\n`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(await registered('taken@example.com')).toHaveLength(1)
  })

  test('refuses one of two simultaneous runs for the same address', async () => {
    const both = await Promise.all([1, 2].map(() => admin(create('twice@example.com', '--generate-password'))))
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1])
    expect(await registered('twice@example.com')).toHaveLength(1)
  })

  test.each(['', 'short\n'])('refuses the password %j', async (input) => {
    const { code, stderr } = await admin(create('nobody@example.com'), input)
    expect(stderr).toMatch(/^tollgate: a password must have 10 to 256 characters/)
    expect(code).toBe(1)
    expect(await registered('nobody@example.com')).toEqual([])
  })

  test.each([
    ['nothing to do', []],
    ['something unknown to do', ['create-admin', '--email', 'a@example.com']],
    ['no address', ['create-super-admin']],
    ['no address at all', create('root')],
    ['a password on the command line', create('a@example.com', '--password', 'correct horse')],
  ])('%s: exit code 2, with the usage', async (_, args) => {
    const { code, stdout, stderr } = await admin(args, 'correct horse\n')
    expect(stderr).toContain('usage: npm run admin -- create-super-admin --email')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

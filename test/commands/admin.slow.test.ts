import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserEvent } from '../../contracts/events/user.ts'
import { PersonalData } from '../../services/platform/personal/personalData.ts'
import { verifyPassword } from '../../services/platform/secrets/passwords.ts'
import { AT } from '../support/ledgerEvents.ts'
import { ReadModels } from '../support/readModels.ts'
import { runScript, type ScriptRun } from '../support/runScript.ts'

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

describe('create-super-admin', { timeout: 60_000 }, () => {
  test('takes the password from standard input, and keeps only its hash', async () => {
    const { code, stdout, stderr } = await admin(create(' Root@Example.com', '--json'), 'correct horse\n')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [user, ...others] = await registered('root@example.com')
    expect(others).toEqual([])
    expect(JSON.stringify(await models.events({ categories: ['user'] }))).not.toContain('root@')
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

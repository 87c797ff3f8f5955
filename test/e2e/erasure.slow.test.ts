import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { hashProjection } from '../../projections/runner/hash.ts'
import { rebuildProjection } from '../../projections/runner/rebuild.ts'
import { type BackendHarness, startBackendHarness } from '../support/harness/backendHarness.ts'

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ env: { LOG_LEVEL: 'trace' } })
})
afterAll(() => backend.close())

const EMAIL = 'Zaphkiel.Quennevillain@Forget-Me.example'
const NAME = 'Bérénice Ottokarsdóttir'
const PASSWORD = 'a password to forget'

const asRoot = (query: string, variables: object = {}) => backend.ask(query, variables, backend.superAdmin.token)
const asAdmin = (query: string, variables: object = {}) => backend.ask(query, variables, backend.admin.token)
const login = async () =>
  backend.ask('mutation ($e: String!, $p: String!) { login(email: $e, password: $p) { token } }', {
    e: EMAIL,
    p: PASSWORD,
  })
const createUser = () =>
  asRoot('mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }', {
    input: { email: EMAIL, password: PASSWORD, companyId: backend.companyId },
  })

/** Every encoding in which a store, a table or a log could contain a text. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    // The first and last characters depend on their neighbours.
    return shifted.slice(shift === 0 ? 0 : 4, -4)
  })
  const escaped = JSON.stringify(text).slice(1, -1)
  const ascii = escaped.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [text, escaped, ascii, bytes.toString('hex'), encodeURIComponent(text), ...base64]
}

/** Every row of every table, all events, and the log. */
async function everythingThatIsKept(): Promise<string> {
  const { database, store } = backend.runtime.engines
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`select t::text as text from ${name} t`)
    texts.push(...rows.map(({ text }) => text))
  }
  const { events } = await store.readAll({ after: '' as never, limit: 1_000 })
  backend.flushLog()
  return [...texts, JSON.stringify(events), readFileSync(backend.logFile, 'utf8')].join('\n').toLowerCase()
}

function tracesIn(kept: string): string[] {
  const texts = [EMAIL, NAME, PASSWORD, ...EMAIL.split(/[.@]/).filter((part) => part.length > 7), ...NAME.split(' ')]
  return texts.flatMap(formsOf).filter((form) => kept.includes(form.toLowerCase()))
}

test('an erased person leaves no byte in any table, event or log, and rebuilt read models stay the same', async () => {
  const { engines } = backend.runtime
  const userId = (await createUser()).data.createUser.id
  const token = (await login()).data.login.token
  const register = 'mutation ($input: RegisterTalentInput!) { registerTalent(input: $input) { id name } }'
  const talent = (await asAdmin(register, { input: { name: NAME } })).data.registerTalent
  expect(talent.name).toBe(NAME)
  // Use them everywhere first: shown, refused, logged.
  await asAdmin('{ talents { name } }')
  await createUser()
  await asAdmin(register, { input: { name: `${NAME}\0` } })
  const subjects = [`user-${userId}`, `talent-${talent.id}`]
  const sealed = await engines.database.query('select 1 from platform.personal_keys where subject = any($1)', [
    subjects,
  ])
  expect(sealed).toHaveLength(2)
  // Proof that the search works: it finds the texts before the erasure.
  const [row] = await engines.database.query<{ email: string }>(
    'select email from read_models.users where user_id = $1',
    [userId],
  )
  expect((await engines.personal.reveal(row?.email ?? '')).toLowerCase()).toBe(EMAIL.toLowerCase())
  expect(tracesIn(`${await everythingThatIsKept()} ${NAME}`.toLowerCase())).not.toEqual([])

  expect((await asRoot(`mutation { eraseUser(id: "${userId}") }`)).data).toEqual({ eraseUser: true })
  expect((await asAdmin(`mutation { eraseTalent(id: "${talent.id}") }`)).data).toEqual({ eraseTalent: true })

  expect((await backend.ask('{ whoAmI { id } }', {}, token)).code).toBe('UNAUTHENTICATED')
  expect((await login()).code).toBe('UNAUTHENTICATED')
  expect((await asAdmin('{ talents { id } }')).data.talents).toEqual([])
  expect(tracesIn(await everythingThatIsKept())).toEqual([])
  expect(await engines.personal.reveal(row?.email ?? '')).toBe('[erased]')

  const { database, store, feed } = engines
  for (const projection of PROJECTIONS) {
    const live = await hashProjection(database, projection)
    const partitions = feed.partitionsOf(projection.categories)
    await rebuildProjection({
      projection,
      database,
      source: store,
      partitions,
      idsAreUnique: store.idsAreUnique,
      clock: systemClock,
      ids: systemIds,
    })
    expect((await hashProjection(database, projection))?.hash, projection.name).toBe(live?.hash)
  }
  expect(tracesIn(await everythingThatIsKept())).toEqual([])
})

test('erasing a person again changes nothing and reports it; an unknown person is NOT_FOUND', async () => {
  const userId = (await createUser()).data.createUser.id
  const erase = (id: string) => asRoot(`mutation { eraseUser(id: "${id}") }`)
  expect((await erase(userId)).data.eraseUser).toBe(true)
  const head = await backend.runtime.engines.store.head()
  expect((await erase(userId)).data.eraseUser).toBe(true)
  expect(await backend.runtime.engines.store.head()).toBe(head)
  expect((await erase('00000000-0000-4000-8000-000000000000')).code).toBe('NOT_FOUND')
})

test('an erasure that stopped half-way completes when it is requested again', async () => {
  const { engines } = backend.runtime
  const userId = (await createUser()).data.createUser.id
  const erase = engines.personal.erase
  engines.personal.erase = async () => {
    throw new Error('the database went away')
  }
  expect((await asRoot(`mutation { eraseUser(id: "${userId}") }`)).code).toBe('INTERNAL_SERVER_ERROR')
  engines.personal.erase = erase
  expect((await asRoot(`mutation { eraseUser(id: "${userId}") }`)).data.eraseUser).toBe(true)
  const [key] = await engines.database.query('select key from platform.personal_keys where subject = $1', [
    `user-${userId}`,
  ])
  expect(key).toEqual({ key: null })
})

test('the address of an erased user can be registered again', async () => {
  const first = (await createUser()).data.createUser.id
  await asRoot(`mutation { eraseUser(id: "${first}") }`)
  const second = (await createUser()).data.createUser.id
  expect(second).not.toBe(first)
  expect((await login()).data.login.token).toBeTruthy()
  await asRoot(`mutation { eraseUser(id: "${second}") }`)
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewEvent } from '../../contracts/envelope.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { ERASED, PersonalData } from './personalData.ts'

let database: PostgresDatabase
let close: () => Promise<void>
let personal: PersonalData

beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
  personal = new PersonalData(database)
})
afterAll(() => close())

const talent = (name: string, talentId: string = randomUUID()): NewEvent => ({
  id: randomUUID(),
  type: 'TalentRegistered',
  data: { talentId, name, location: 'Oslo' },
  metadata: { schemaVersion: 1, correlationId: 'c', causationId: 'c', actor: { kind: 'system', name: 'test' } },
})
const nameOf = (event: NewEvent) => event.data.name as string

describe('a personal field', () => {
  test('is encrypted before it is stored, unlike other fields, and can be revealed', async () => {
    const stored = await personal.protect(talent('Łucja Ørsted 東京'))
    expect(JSON.stringify(stored)).not.toContain('rsted')
    expect(stored.data.location).toBe('Oslo')
    expect(await personal.reveal(nameOf(stored))).toBe('Łucja Ørsted 東京')
  })

  test('has a different ciphertext each time, so that equal names are not recognisable', async () => {
    const event = talent('Ada')
    const [one, two] = [await personal.protect(event), await personal.protect(event)]
    expect(nameOf(one)).not.toBe(nameOf(two))
  })

  test('cannot be decrypted as the field of another subject', async () => {
    const [ada, bob] = [await personal.protect(talent('Ada')), await personal.protect(talent('Bob'))]
    const [, , bobsSubject] = nameOf(bob).split('.')
    const swapped = nameOf(ada).replace(/talent-[\w-]+/, bobsSubject ?? '')
    await expect(personal.reveal(swapped)).rejects.toThrow()
  })

  test('of the maximum event size still fits into an event if it is compressible', async () => {
    const body = JSON.stringify(
      Array.from({ length: 9_000 }, (_, n) => ({ id: `li_${n}`, amount: n, currency: 'usd' })),
    )
    expect(body.length).toBeGreaterThan(400_000)
    const stored = await personal.protect(talent(body))
    expect(nameOf(stored).length).toBeLessThan(200_000)
    expect(await personal.reveal(nameOf(stored))).toBe(body)
  })

  test('of two concurrent first writes is encrypted with one key', async () => {
    const talentId = randomUUID()
    const stored = await Promise.all(['a', 'b', 'c', 'd'].map((name) => personal.protect(talent(name, talentId))))
    expect(await personal.revealAll(stored.map(nameOf))).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('rows', () => {
  test('have the named columns revealed; null and unencrypted values are unchanged', async () => {
    const sealed = nameOf(await personal.protect(talent('Ada')))
    const rows = [
      { id: 1, name: sealed, note: sealed },
      { id: 2, name: null, note: 'x' },
      { id: 3, name: 'clear', note: 'y' },
    ]
    expect(await personal.revealRows(rows, 'name')).toEqual([
      { id: 1, name: 'Ada', note: sealed },
      { id: 2, name: null, note: 'x' },
      { id: 3, name: 'clear', note: 'y' },
    ])
  })
})

describe('an erased subject', () => {
  test('reads as erased at once in every process, unlike other subjects', async () => {
    const [ada, bob] = [talent('Ada'), talent('Bob')]
    const stored = [nameOf(await personal.protect(ada)), nameOf(await personal.protect(bob))]
    expect(await personal.erase(`talent-${ada.data.talentId}`)).toBe(true)
    expect(await new PersonalData(database).revealAll(stored)).toEqual([ERASED, 'Bob'])
    expect(await personal.erase(`talent-${ada.data.talentId}`)).toBe(false)
  })

  test('cannot be written about again, because a new key would bring it back', async () => {
    const event = talent('Ada')
    await personal.erase(`talent-${event.data.talentId}`)
    await expect(personal.protect(event)).rejects.toThrow(/was erased/)
  })
})

describe('keys restored into another installation', () => {
  let there: PostgresDatabase
  let closeThere: () => Promise<void>
  beforeAll(async () => {
    ;({ database: there, close: closeThere } = await openTestDatabase('migrated'))
  })
  afterAll(() => closeThere())

  test('decrypt what was encrypted, find addresses, and keep subjects erased that were erased on either side', async () => {
    const [ada, bob, eve] = [talent('Ada'), talent('Bob'), talent('Eve')]
    const stored = [await personal.protect(ada), await personal.protect(bob), await personal.protect(eve)].map(nameOf)
    const subject = (event: NewEvent) => `talent-${event.data.talentId}`
    await personal.erase(subject(bob))
    const lookup = await personal.lookupOf('ada@example.com')
    const target = new PersonalData(there)
    await target.erase(subject(eve))
    // This installation already has its own keys, which cannot decrypt the restored data.
    expect(await target.lookupOf('ada@example.com')).not.toBe(lookup)
    for (let times = 0; times < 2; times++) {
      for await (const page of personal.keyPages(2)) await target.restoreKeys(page)
    }
    expect(await target.revealAll(stored)).toEqual(['Ada', ERASED, ERASED])
    expect(await target.lookupOf('ada@example.com')).toBe(lookup)
    await expect(target.protect(bob)).rejects.toThrow(/was erased/)
  })
})

test('an address is found by a keyed hash that only this installation can compute, in any spelling', async () => {
  const lookup = await personal.lookupOf('Ada@Example.com ')
  expect(lookup).toMatch(/^[0-9a-f]{64}$/)
  expect(await personal.lookupOf('ada@example.com')).toBe(lookup)
  expect(await personal.lookupOf('bob@example.com')).not.toBe(lookup)
})

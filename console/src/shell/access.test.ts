import { expect, test } from 'vitest'
import { type Ability, abilityFor, may } from './access.ts'

const developer = { id: 'a', email: 'dev@demo.example', isSuperAdmin: false, role: 'DEVELOPER', company: null } as const

test('developers cannot open billing, statement and trail pages; other pages need no ability', () => {
  const lacks = (pathname: string) => {
    const ability = abilityFor(pathname)
    return ability !== null && !may(developer, null, ability)
  }
  expect(['/billing', '/statement', '/trail'].filter(lacks)).toEqual(['/billing', '/statement', '/trail'])
  expect(['/', '/keys', '/usage', '/calls', '/calls/1', '/people', '/toString'].filter(lacks)).toEqual([])
})

test('a super admin who views a company can read every page and change nothing', () => {
  const reads: Ability[] = ['readMoney', 'readKeys', 'readTrail', 'readPeople']
  for (const ability of reads) expect(may({ ...developer, role: null }, 'company', ability)).toBe(true)
  for (const ability of ['pay', 'changeKeys', 'changePeople'] as const) {
    expect(may({ ...developer, role: null }, 'company', ability)).toBe(false)
  }
})

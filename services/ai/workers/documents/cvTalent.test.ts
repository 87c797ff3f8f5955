import { expect, test } from 'vitest'
import type { CvProfile } from '../../../../capabilities/extraction/cvProfile.ts'
import { NAME_CHARS_MAX } from '../../../../contracts/limits.ts'
import { talentOf } from './cvTalent.ts'

const AT = '2026-03-01T10:00:00.000Z'
const work = (title: string, start: string | null, end: string | null) => ({
  ...{ title, start, end },
  ...{ company: null, description: null },
})
const profile = (changes: Partial<CvProfile> = {}): CvProfile => ({
  name: 'Ada Example',
  contact: { email: null, phone: null, location: 'Basel' },
  summary: null,
  skills: [],
  experience: [],
  education: [],
  languages: [],
  links: [],
  ...changes,
})
const yearsOf = (...experience: CvProfile['experience']) => talentOf(profile({ experience }), AT).yearsOfExperience
const seniorityOf = (...experience: CvProfile['experience']) => talentOf(profile({ experience }), AT).seniority

test('overlapping jobs are counted once in the years of experience', () => {
  expect(yearsOf(work('a', '2020-01', '2021-12'))).toBe(2)
  expect(yearsOf(work('a', '2020-01', '2021-12'), work('b', '2021-01', '2022-12'))).toBe(3)
  expect(yearsOf(work('a', '2015', '2017'), work('b', '2020', '2021'))).toBe(3)
})

test('a current job counts up to the upload and not beyond it', () => {
  expect(yearsOf(work('a', '2024-03', 'present'))).toBe(2)
  expect(yearsOf(work('a', '2025-03', '2099-12'))).toBe(1)
})

test('years are null without dates; a job that ends before it begins is ignored', () => {
  expect(yearsOf()).toBeNull()
  expect(yearsOf(work('a', null, '2020'), work('b', '2019', null), work('c', '2020', '2019'))).toBeNull()
})

test('seniority follows the newest title', () => {
  expect(seniorityOf(work('Senior Welder', '2020', 'present'), work('Junior Welder', '2010', '2020'))).toBe('senior')
  expect(seniorityOf(work('Lead Welder', '2010', '2020'), work('Welder', '2020', '2024'))).toBeNull()
  expect(seniorityOf(work('Head of Welding', '2010', null))).toBe('director')
})

test('texts are reduced to one line of limited length, and skills to distinct ones', () => {
  const talent = talentOf(
    profile({
      name: ' Ada\n Example\u0000 ',
      skills: ['MIG', 'mig', ' TIG\twelding ', 'x'.repeat(300), ' '].map((name) => ({ name, years: null })),
      languages: [{ name: 'German', level: null }],
    }),
    AT,
  )
  expect(talent).toMatchObject({ name: 'Ada Example', location: 'Basel', languages: ['German'] })
  expect(talent.skills).toEqual(['MIG', 'TIG welding', 'x'.repeat(NAME_CHARS_MAX)])
})

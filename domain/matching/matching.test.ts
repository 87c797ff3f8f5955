import { describe, expect, test } from 'vitest'
import { explain } from './explanation.ts'
import { ADJUSTMENT_MAX, adjusted, boundedJudgement, needsJudgement } from './judgement.ts'
import { placeOf } from './places.ts'
import { type JobFacts, jobProfile, levelOf, type TalentFacts, talentProfile } from './profiles.ts'
import { readRequirements } from './requirements.ts'
import { ruleScore } from './score.ts'
import { credit, skillOf } from './skills.ts'

const job = (changes: Partial<JobFacts> = {}): JobFacts => ({
  title: 'Backend Engineer',
  location: 'Berlin',
  employmentType: 'full-time',
  seniority: 'senior',
  requirements: ['TypeScript', 'PostgreSQL', 'event sourcing'],
  metadata: {},
  ...changes,
})
const talent = (changes: Partial<TalentFacts> = {}): TalentFacts => ({
  location: 'Berlin',
  seniority: 'senior',
  yearsOfExperience: 9,
  skills: ['TypeScript', 'PostgreSQL', 'Event Sourcing'],
  languages: ['English', 'German'],
  ...changes,
})
const scored = (wanted: Partial<JobFacts>, offered: Partial<TalentFacts>) =>
  ruleScore(jobProfile(job(wanted)), talentProfile(talent(offered)))
const creditOf = (wanted: string, offered: string) => {
  const [w, o] = [skillOf(wanted), skillOf(offered)]
  if (!w || !o) throw new Error('no skill')
  return credit(w, o)
}

describe('skills', () => {
  test.each([
    ['typescript', 'TypeScript'],
    ['PostgreSQL', 'postgres'],
    ['Kubernetes', 'K8s'],
    ['Node.js', 'nodejs'],
    ['JavaScript', 'JS'],
    ['C++', 'c++'],
    ['CI/CD', 'Continuous Integration'],
    ['machine learning', 'ML'],
    ['REST APIs', 'REST API'],
    ['Zürcher Recht', 'zurcher recht'],
    ['Amazon Web Services', 'AWS'],
  ])('%s is met by %s: another spelling', (wanted, offered) => {
    expect(creditOf(wanted, offered)).toBe(1)
    expect(creditOf(offered, wanted)).toBe(1)
  })

  test.each([
    ['SQL', 'PostgreSQL'],
    ['JavaScript', 'TypeScript'],
    ['Python', 'Django'],
    ['cloud', 'AWS'],
    ['relational databases', 'MySQL'],
    ['production PostgreSQL at scale', 'PostgreSQL'],
    ['React', 'React Native'],
  ])('%s is met by %s, which implies it', (wanted, offered) => {
    expect(creditOf(wanted, offered)).toBe(1)
  })

  test('implication is one-directional', () => {
    expect(creditOf('PostgreSQL', 'SQL')).toBe(0)
    expect(creditOf('TypeScript', 'JavaScript')).toBe(0)
  })

  test('a shared word counts half, unless it is a skill by itself', () => {
    expect(creditOf('event sourcing', 'sourcing')).toBe(0.5)
    expect(creditOf('sourcing', 'event sourcing')).toBe(0.5)
    expect(creditOf('MIG welding', 'welding')).toBe(0.5)
    expect(creditOf('Kubernetes operations', 'K8s')).toBe(1)
    expect(creditOf('test design', 'interior design')).toBe(0)
    expect(creditOf('cloud cost management', 'AWS')).toBe(0.5)
  })

  test('a tool of the same trade counts half, another trade not at all', () => {
    expect(creditOf('React', 'Vue')).toBe(0.5)
    expect(creditOf('AWS', 'Google Cloud Platform')).toBe(0.5)
    expect(creditOf('Java', 'JavaScript')).toBe(0)
    expect(creditOf('Go', 'Google Ads')).toBe(0)
    expect(creditOf('C', 'C++')).toBe(0)
    expect(creditOf('C#', 'C++')).toBe(0)
  })
})

describe('requirements', () => {
  test('a line names a skill and the years of experience required', () => {
    const { skills, years, languages } = readRequirements(['5+ years of experience with Python', 'Strong SQL skills'])
    expect(skills.map(({ label }) => label)).toEqual(['Python', 'SQL'])
    expect(years).toBe(5)
    expect(languages).toEqual([])
  })

  test('lists are several requirements, alternatives are one', () => {
    const { skills } = readRequirements(['Docker, Kubernetes and Terraform', 'React or Vue', 'AWS/GCP'])
    expect(skills.map(({ label }) => label)).toEqual(['Docker', 'Kubernetes', 'Terraform', 'React or Vue', 'AWS/GCP'])
    expect(skills[3]?.anyOf.map(({ name }) => name)).toEqual(['react', 'vue'])
  })

  test('a human language is not a skill, in whatever language it is named', () => {
    const { skills, languages } = readRequirements(['Fluent German', 'Englisch C1', 'German tax law'])
    expect(languages).toEqual(['German', 'English'])
    expect(skills.map(({ label }) => label)).toEqual(['German tax law'])
  })

  test('years alone are not a skill', () => {
    expect(readRequirements(['At least 3 years of experience'])).toEqual({ skills: [], languages: [], years: 3 })
  })
})

describe('places', () => {
  test.each([
    ['Zürich, Switzerland', { city: 'zurich', country: 'switzerland', isRemote: false }],
    ['München', { city: 'munich', country: null, isRemote: false }],
    ['Remote', { city: null, country: null, isRemote: true }],
    ['Berlin (remote possible)', { city: 'berlin', country: null, isRemote: true }],
    [null, { city: null, country: null, isRemote: false }],
  ])('%s', (text, place) => {
    expect(placeOf(text)).toEqual(place)
  })
})

test.each([
  ['Senior', 3],
  ['Sr. Developer', 3],
  ['mid-level', 2],
  ['Junior', 1],
  ['Entry level', 1],
  ['Lead engineer', 4],
  ['Senior Engineering Manager', 3],
  ['Vice President', 6],
  ['Welder', null],
])('%s is level %s', (text, level) => {
  expect(levelOf(text)).toBe(level)
})

describe('a score', () => {
  test('is 100 if everything fits, and low if nothing does', () => {
    expect(scored({}, {})).toMatchObject({
      score: 100,
      parts: { skills: 100, experience: 100, location: 100, language: 100, seniority: 100 },
    })
    const nothing = {
      location: 'Madrid',
      seniority: 'intern',
      yearsOfExperience: 0,
      skills: ['cooking'],
      languages: [],
    }
    expect(scored({}, nothing).score).toBeLessThan(10)
  })

  test('stays between 0 and 100, each part too, whatever is missing on either side', () => {
    const empty = { location: null, seniority: null, yearsOfExperience: null, skills: [], languages: [] }
    for (const wanted of [
      {},
      { requirements: [] },
      { location: null, seniority: null, requirements: [], title: 'X' },
    ]) {
      for (const offered of [{}, empty, { yearsOfExperience: 80 }]) {
        const { score, parts } = scored(wanted, offered)
        for (const value of [score, ...Object.values(parts)]) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(100)
          expect(Number.isInteger(value)).toBe(true)
        }
      }
    }
  })

  test('grows with each requirement that is met', () => {
    const scores = [[], ['TypeScript'], ['TypeScript', 'PostgreSQL'], ['TypeScript', 'PostgreSQL', 'event sourcing']]
    const values = scores.map((skills) => scored({}, { skills }).score)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(new Set(values).size).toBe(4)
  })

  test('weighs only what the job asks for, and a short posting is not a good match for everyone', () => {
    const bare = { location: null, seniority: null, title: 'Developer' }
    expect(scored({ ...bare, requirements: ['Rust'] }, { skills: ['cooking'] }).score).toBe(0)
    expect(scored({ ...bare, requirements: [] }, {}).score).toBe(50)
  })

  test('counts years up to the required number, and derives missing years from the level', () => {
    const wanted = { requirements: ['8 years of TypeScript'] }
    expect(scored(wanted, { yearsOfExperience: 4 }).parts.experience).toBe(50)
    expect(scored(wanted, { yearsOfExperience: 20 }).parts.experience).toBe(100)
    expect(scored(wanted, { yearsOfExperience: null, seniority: null }).parts.experience).toBe(50)
    expect(scored({ seniority: 'senior' }, { yearsOfExperience: 2 }).parts.experience).toBe(40)
  })

  test('remote work fits everywhere; otherwise the same city beats the same country, which beats elsewhere', () => {
    const at = (location: string | null, wanted = 'Berlin, Germany') =>
      scored({ location: wanted }, { location }).parts.location
    expect(at('berlin')).toBe(100)
    expect(at('Hamburg, Germany')).toBe(60)
    expect(at('Paris, France')).toBe(20)
    expect(at(null)).toBe(50)
    expect(at('Paris, France', 'Remote')).toBe(100)
    expect(scored({ metadata: { remote: true } }, { location: 'Lima' }).parts.location).toBe(100)
    expect(at('Muenchen', 'München')).toBe(100)
  })

  test('languages count by name, whatever the level behind it', () => {
    const wanted = { requirements: ['TypeScript', 'German', 'French'] }
    expect(scored(wanted, { languages: ['Deutsch (C1)', 'English'] }).parts.language).toBe(50)
    expect(scored({ metadata: { languages: ['Polish'] } }, { languages: ['Polski'] }).parts.language).toBe(100)
  })

  test('too junior costs more than too senior', () => {
    const at = (seniority: string) => scored({ seniority: 'mid' }, { seniority }).parts.seniority
    expect(at('mid')).toBe(100)
    expect(at('senior')).toBe(80)
    expect(at('junior')).toBe(60)
    expect(scored({ seniority: 'mid' }, { seniority: null, yearsOfExperience: 3 }).parts.seniority).toBe(100)
  })
})

describe('a judgement', () => {
  test('is requested for scores from 40 to 80', () => {
    expect([39, 40, 60, 80, 81].map(needsJudgement)).toEqual([false, true, true, true, false])
  })

  test('changes a score by at most its bound, and never out of range', () => {
    expect(adjusted(60, boundedJudgement(1_000, null))).toBe(60 + ADJUSTMENT_MAX)
    expect(adjusted(60, boundedJudgement(-1_000, null))).toBe(60 - ADJUSTMENT_MAX)
    expect(adjusted(60, boundedJudgement(null, null))).toBe(60)
    expect(adjusted(60, boundedJudgement(Number.NaN, null))).toBe(60)
    expect(adjusted(98, boundedJudgement(10, null))).toBe(100)
  })

  test('leaves a reason that can be stored: one line, no control characters, not too long', () => {
    const { reason } = boundedJudgement(1, `\u0000 a\nb\ud800 ${'x'.repeat(500)}`)
    expect(reason).toMatch(/^a b� x+…$/)
    expect([...(reason ?? '')].length).toBe(160)
    expect(boundedJudgement(1, ' \n ').reason).toBeNull()
  })
})

describe('an explanation', () => {
  const explained = (wanted: Partial<JobFacts>, offered: Partial<TalentFacts>) => {
    const [j, t] = [jobProfile(job(wanted)), talentProfile(talent(offered))]
    return explain(j, t, ruleScore(j, t))
  }

  test('says what is met and what is missing', () => {
    expect(explained({}, { skills: ['TypeScript', 'Postgres'], location: 'Paris', yearsOfExperience: 4 })).toBe(
      'Meets 2 of 3 requirements (TypeScript, PostgreSQL), missing event sourcing; 4 years of experience where 5 are ' +
        'asked for; the right seniority; in another place.',
    )
  })

  test('says if there is nothing to compare', () => {
    const bare = { title: 'Developer', location: null, seniority: null, requirements: [] }
    expect(explained(bare, {})).toBe('The job asks for nothing that could be compared.')
  })

  test('adds the judgement of a model', () => {
    const [j, t] = [jobProfile(job({ location: 'Remote' })), talentProfile(talent())]
    const text = explain(j, t, ruleScore(j, t), boundedJudgement(-3, 'Little recent practice.'))
    expect(text).toMatch(/remote work\. Judgement \(−3\): Little recent practice\.$/)
  })

  test('stays short, however long the requirements are', () => {
    const requirements = Array.from({ length: 100 }, (_, n) => `${'word '.repeat(40)}${n}`)
    expect(explained({ requirements }, {}).length).toBeLessThan(500)
  })
})

import { type Place, placeOf } from './places.ts'
import { languagesIn, readRequirements, type SkillRequirement } from './requirements.ts'
import { type Skill, skillOf } from './skills.ts'
import { LEVEL_YEARS, SENIORITY_LEVELS } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/** The properties of a job that a score depends on. */
export type JobFacts = {
  readonly title: string
  readonly location: string | null
  readonly employmentType: string | null
  readonly seniority: string | null
  readonly requirements: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The properties of a talent that a score depends on. The name is not one of them. */
export type TalentFacts = {
  readonly location: string | null
  readonly seniority: string | null
  readonly yearsOfExperience: number | null
  readonly skills: readonly string[]
  readonly languages: readonly string[]
}

/** A job parsed once, for all the talents that it is compared with. */
export type JobProfile = {
  readonly skills: readonly SkillRequirement[]
  readonly languages: readonly string[]
  /** null if the job does not say. */
  readonly years: number | null
  readonly level: number | null
  readonly place: Place
}

/** A talent parsed once, for all the jobs. */
export type TalentProfile = {
  readonly skills: readonly Skill[]
  readonly languages: ReadonlySet<string>
  readonly years: number | null
  readonly level: number | null
  readonly place: Place
}

export function jobProfile(job: JobFacts): JobProfile {
  const required = readRequirements(job.requirements)
  const level = levelOf(job.seniority) ?? levelOf(job.title)
  const place = placeOf(job.location)
  const isRemote = place.isRemote || job.metadata.remote === true
  const spoken = textsIn(job.metadata.languages).flatMap(languagesIn)
  return {
    skills: required.skills,
    languages: [...new Set([...required.languages, ...spoken])],
    years: required.years ?? (level === null ? null : yearsAt(level)),
    level,
    place: { ...place, isRemote },
  }
}

export function talentProfile(talent: TalentFacts): TalentProfile {
  const { yearsOfExperience: years } = talent
  const named = levelOf(talent.seniority)
  return {
    skills: talent.skills.flatMap((skill) => skillOf(skill) ?? []),
    languages: new Set(talent.languages.flatMap(languagesIn)),
    years: years ?? (named === null ? null : yearsAt(named)),
    level: named ?? (years === null ? null : levelAfter(years)),
    place: placeOf(talent.location),
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

/** 0 is an intern, 6 a director; null if the text names no level. The first of several level words counts. */
export function levelOf(text: string | null): number | null {
  if (text === null) return null
  const words = ` ${wordsOf(text).join(' ')} `
  let found: { level: number; at: number; length: number } | null = null
  for (const [level, names] of SENIORITY_LEVELS.entries()) {
    for (const name of names) {
      const at = words.indexOf(` ${name} `)
      if (at === -1) continue
      if (!found || at < found.at || (at === found.at && name.length > found.length)) {
        found = { level, at, length: name.length }
      }
    }
  }
  return found?.level ?? null
}

/** The usual level after this many years of work; director is not reached by years alone. */
function levelAfter(years: number): number {
  if (years < 2) return 1
  if (years < 5) return 2
  return years < 8 ? 3 : 4
}

function yearsAt(level: number): number {
  return LEVEL_YEARS[level] ?? 0
}

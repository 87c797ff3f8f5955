import type { Place } from './places.ts'
import type { JobProfile, TalentProfile } from './profiles.ts'
import type { SkillRequirement } from './requirements.ts'
import { credit, type Skill } from './skills.ts'

export const PARTS = ['skills', 'experience', 'location', 'language', 'seniority'] as const
export type Part = (typeof PARTS)[number]
/** 0 to 100 each. A part that the job does not ask for is 100. */
export type ScoreParts = Readonly<Record<Part, number>>

export type RuleScore = {
  /** 0 to 100, a whole number. */
  readonly score: number
  readonly parts: ScoreParts
  /** Labels of requirements, for the explanation. */
  readonly met: readonly string[]
  readonly missing: readonly string[]
}

const WEIGHTS: ScoreParts = { skills: 50, experience: 15, location: 10, language: 10, seniority: 15 }
/** Used if the talent's profile does not say. */
const UNKNOWN = 50
/** The score for a job without any requirement. */
const NOTHING_ASKED = 50
/** Keyed by how many levels the talent is above (+) or below (−) the job. */
const OVER = [100, 80, 60, 40]
const UNDER = [100, 60, 20, 0]
const SAME_COUNTRY = 60
const ELSEWHERE = 20

/** How well a talent fits a job, by rule. The total weighs only the parts that the job asks for. */
export function ruleScore(job: JobProfile, talent: TalentProfile, credits: Credits = new Credits()): RuleScore {
  const met: string[] = []
  const missing: string[] = []
  let earned = 0
  for (const requirement of job.skills) {
    const best = credits.best(requirement, talent.skills)
    earned += best
    ;(best === 1 ? met : missing).push(requirement.label)
  }
  const parts: ScoreParts = {
    skills: job.skills.length === 0 ? 100 : percent(earned / job.skills.length),
    experience: experiencePart(job.years, talent.years),
    location: locationPart(job.place, talent.place),
    language: languagePart(job.languages, talent.languages),
    seniority: seniorityPart(job.level, talent.level),
  }
  return { score: total(parts, requiredParts(job)), parts, met, missing }
}

/** The parts that the job asks for. */
export function requiredParts(job: JobProfile): Readonly<Record<Part, boolean>> {
  return {
    skills: job.skills.length > 0,
    experience: job.years !== null && job.years > 0,
    location: job.place.city !== null && !job.place.isRemote,
    language: job.languages.length > 0,
    seniority: job.level !== null,
  }
}

function total(parts: ScoreParts, required: Readonly<Record<Part, boolean>>): number {
  let sum = 0
  let weights = 0
  for (const part of PARTS) {
    if (!required[part]) continue
    sum += parts[part] * WEIGHTS[part]
    weights += WEIGHTS[part]
  }
  return weights === 0 ? NOTHING_ASKED : Math.round(sum / weights)
}

function experiencePart(required: number | null, years: number | null): number {
  if (required === null || required === 0) return 100
  return years === null ? UNKNOWN : percent(Math.min(1, years / required))
}

function locationPart(job: Place, talent: Place): number {
  if (job.isRemote || job.city === null) return 100
  if (talent.city === null) return UNKNOWN
  if (talent.city === job.city) return 100
  return job.country !== null && job.country === talent.country ? SAME_COUNTRY : ELSEWHERE
}

function languagePart(required: readonly string[], spoken: ReadonlySet<string>): number {
  if (required.length === 0) return 100
  if (spoken.size === 0) return UNKNOWN
  return percent(required.filter((language) => spoken.has(language)).length / required.length)
}

function seniorityPart(required: number | null, level: number | null): number {
  if (required === null) return 100
  if (level === null) return UNKNOWN
  const steps = level >= required ? OVER : UNDER
  return steps[Math.min(Math.abs(level - required), steps.length - 1)] ?? 0
}

function percent(share: number): number {
  return Math.round(share * 100)
}

/** Caches how much a skill counts for a requirement: the same few recur in thousands of pairs. */
export class Credits {
  readonly #known = new Map<SkillRequirement, Map<string, number>>()

  best(requirement: SkillRequirement, skills: readonly Skill[]): number {
    let known = this.#known.get(requirement)
    if (!known) {
      known = new Map()
      this.#known.set(requirement, known)
    }
    let best = 0
    for (const skill of skills) {
      let counted = known.get(skill.name)
      if (counted === undefined) {
        counted = Math.max(...requirement.anyOf.map((wanted) => credit(wanted, skill)))
        known.set(skill.name, counted)
      }
      if (counted === 1) return 1
      if (counted > best) best = counted
    }
    return best
  }
}

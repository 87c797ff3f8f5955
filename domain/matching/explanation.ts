import type { Judgement } from './judgement.ts'
import type { JobProfile, TalentProfile } from './profiles.ts'
import { type RuleScore, requiredParts } from './score.ts'

const NAMED_MAX = 3
const LABEL_CHARS_MAX = 40

/** One sentence that explains the score; a judgement adds its own. */
export function explain(
  job: JobProfile,
  talent: TalentProfile,
  { parts, met, missing }: RuleScore,
  judgement: Judgement | null = null,
): string {
  const required = requiredParts(job)
  const clauses: string[] = []
  if (required.skills) clauses.push(skillsClause(met, missing))
  if (required.experience) {
    const years = talent.years === null ? 'experience not given' : `${count(talent.years)} of experience`
    clauses.push(`${years} where ${job.years} are asked for`)
  }
  if (required.seniority) clauses.push(seniorityClause(parts.seniority, job.level, talent.level))
  if (required.language) clauses.push(languageClause(job.languages, talent.languages))
  if (required.location) clauses.push(locationClause(parts.location, talent.place.city === null))
  else if (job.place.isRemote) clauses.push('remote work')
  const sentence =
    clauses.length === 0 ? 'The job asks for nothing that could be compared' : capital(clauses.join('; '))
  return `${sentence}.${judgementClause(judgement)}`
}

function skillsClause(met: readonly string[], missing: readonly string[]): string {
  const all = met.length + missing.length
  const meets = `meets ${met.length} of ${all} ${all === 1 ? 'requirement' : 'requirements'}`
  const named = met.length === 0 ? '' : ` (${listed(met)})`
  return missing.length === 0 ? `${meets}${named}` : `${meets}${named}, missing ${listed(missing)}`
}

function seniorityClause(part: number, required: number | null, level: number | null): string {
  if (level === null) return 'seniority not given'
  if (part === 100) return 'the right seniority'
  return level > (required ?? level) ? 'more senior than asked for' : 'less senior than asked for'
}

function languageClause(required: readonly string[], spoken: ReadonlySet<string>): string {
  const speaks = required.filter((language) => spoken.has(language))
  const lacks = required.filter((language) => !spoken.has(language))
  if (lacks.length === 0) return `speaks ${listed(speaks)}`
  return speaks.length === 0 ? `${listed(lacks)} not spoken` : `speaks ${listed(speaks)} but not ${listed(lacks)}`
}

function locationClause(part: number, isUnknown: boolean): string {
  if (isUnknown) return 'location not given'
  if (part === 100) return 'in the same place'
  return part >= 60 ? 'in the same country' : 'in another place'
}

function judgementClause(judgement: Judgement | null): string {
  if (!judgement || (judgement.adjustment === 0 && judgement.reason === null)) return ''
  const { adjustment, reason } = judgement
  const moved = adjustment === 0 ? '' : ` (${adjustment > 0 ? '+' : '−'}${Math.abs(adjustment)})`
  return ` Judgement${moved}${reason === null ? '.' : `: ${reason}`}`
}

function listed(labels: readonly string[]): string {
  const shown = labels.slice(0, NAMED_MAX).map((label) => {
    const characters = [...label]
    return characters.length > LABEL_CHARS_MAX ? `${characters.slice(0, LABEL_CHARS_MAX - 1).join('')}…` : label
  })
  const rest = labels.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

function count(years: number): string {
  const rounded = Math.round(years * 10) / 10
  return `${rounded} ${rounded === 1 ? 'year' : 'years'}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

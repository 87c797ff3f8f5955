import { hash } from 'node:crypto'
import {
  type JobFacts,
  type JobProfile,
  jobProfile,
  type TalentProfile,
  talentProfile,
} from '../../../domain/matching/profiles.ts'
import type { JobRow } from '../../../projections/jobs/projection.ts'
import type { TalentRow } from '../../../projections/talents/projection.ts'

/** Limit of a text that is embedded or judged. */
const MATCH_TEXT_CHARS_MAX = 4_000

/** A job, prepared once for the comparison with many talents. */
export type JobCandidate = {
  readonly id: string
  readonly companyId: string
  /** A hash of everything that a score depends on. */
  readonly version: string
  readonly profile: JobProfile
  /** Describes the job to a model. */
  readonly text: string
}

export type TalentCandidate = {
  readonly id: string
  readonly version: string
  readonly profile: TalentProfile
  readonly text: string
}

/** Increment this when the rules change, so that every score is computed again. */
const RULES_VERSION = 1

export function jobCandidate(row: JobRow): JobCandidate {
  const { jobId: id, companyId, title, location, seniority, requirements, metadata } = row
  const facts: JobFacts = { title, location, employmentType: row.employmentType, seniority, requirements, metadata }
  const text = lines({
    Title: title,
    Seniority: seniority,
    Location: location,
    Employment: row.employmentType,
    Requirements: requirements.join(', '),
  })
  return { id, companyId, version: versionOf(facts), profile: jobProfile(facts), text }
}

/** Leaves out the name: neither rules nor models need to know the person. */
export function talentCandidate(row: TalentRow): TalentCandidate {
  const { talentId: id, location, seniority, yearsOfExperience, skills, languages } = row
  const facts = { location, seniority, yearsOfExperience, skills, languages }
  const text = lines({
    Seniority: seniority,
    Location: location,
    'Years of experience': yearsOfExperience === null ? null : String(yearsOfExperience),
    Skills: skills.join(', '),
    Languages: languages.join(', '),
  })
  return { id, version: versionOf(facts), profile: talentProfile(facts), text }
}

function versionOf(facts: object): string {
  return hash('sha1', JSON.stringify([RULES_VERSION, facts]), 'hex').slice(0, 16)
}

function lines(fields: Readonly<Record<string, string | null>>): string {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== '')
  const text = known.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (text === '' ? 'nothing is known' : text).slice(0, MATCH_TEXT_CHARS_MAX).toWellFormed()
}

import type { JobPosting } from '../../../../capabilities/extraction/jobPosting.ts'
import { NAME_CHARS_MAX } from '../../../../contracts/limits.ts'
import { REQUIREMENT_CHARS_MAX } from '../../../../domain/job/decider.ts'

const REQUIREMENTS_MAX = 100

/** The fields of a job, taken from the extracted job posting. */
export function jobOf(posting: JobPosting, documentId: string) {
  const { company, salary, nice_to_have, responsibilities } = posting
  return {
    title: posting.title === null ? null : line(posting.title, NAME_CHARS_MAX),
    location: posting.location === null ? null : line(posting.location, NAME_CHARS_MAX),
    employmentType: posting.employment_type,
    seniority: posting.seniority,
    requirements: lines(posting.must_have),
    metadata: {
      document_id: documentId,
      company: company === null ? null : line(company, NAME_CHARS_MAX),
      salary,
      nice_to_have: lines(nice_to_have),
      responsibilities: lines(responsibilities),
    },
  }
}

function lines(texts: readonly string[]): string[] {
  return texts
    .map((text) => line(text, REQUIREMENT_CHARS_MAX))
    .filter((text) => text !== null)
    .slice(0, REQUIREMENTS_MAX)
}

/** Reduces the text to one line of at most this length; null if nothing is left. */
function line(text: string, charsMax: number): string | null {
  const fitting = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, charsMax)
    .toWellFormed()
    .trim()
  return fitting === '' ? null : fitting
}

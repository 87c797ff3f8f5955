import type { CvProfile } from '../../../../capabilities/extraction/cvProfile.ts'
import { NAME_CHARS_MAX } from '../../../../contracts/limits.ts'

const ITEMS_MAX = 200
const MONTHS_PER_YEAR = 12
const SENIORITIES: readonly (readonly [string, RegExp])[] = [
  ['intern', /\b(intern|internship|trainee|praktikant\w*|stagiaire)\b/i],
  ['junior', /\b(junior|jr)\b/i],
  ['director', /\b(director|head of|vp|chief|cto|ceo|cfo)\b/i],
  ['principal', /\b(principal|staff)\b/i],
  ['lead', /\b(lead|leiter\w*|teamlead|team lead)\b/i],
  ['senior', /\b(senior|sr)\b/i],
]

/** The fields of a talent, taken from the profile of a CV. */
export function talentOf(profile: CvProfile, at: string) {
  return {
    name: profile.name === null ? null : fitting(profile.name),
    location: profile.contact.location === null ? null : fitting(profile.contact.location),
    seniority: seniorityOf(profile),
    yearsOfExperience: yearsOf(profile, at),
    skills: names(profile.skills),
    languages: names(profile.languages),
  }
}

/** Reduces the text to one line of at most the length of a name; null if nothing is left. */
function fitting(text: string): string | null {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_CHARS_MAX)
    .toWellFormed()
    .trim()
  return line === '' ? null : line
}

/** The distinct names, ignoring case. */
function names(items: readonly { readonly name: string }[]): string[] {
  const found = new Map<string, string>()
  for (const { name } of items) {
    const text = fitting(name)
    if (text !== null && !found.has(text.toLowerCase())) found.set(text.toLowerCase(), text)
  }
  return [...found.values()].slice(0, ITEMS_MAX)
}

/** Derived from the title of the current job, or of the one that ended last. */
function seniorityOf({ experience }: CvProfile): string | null {
  const [newest] = experience.toSorted((a, b) => endOf(b.end).localeCompare(endOf(a.end)))
  const title = newest?.title ?? ''
  return SENIORITIES.find(([, words]) => words.test(title))?.[0] ?? null
}

function endOf(end: string | null): string {
  return end === 'present' ? '9999' : (end ?? '')
}

/** Months with work, each counted once, in years rounded to halves; null if the CV has no dates. */
function yearsOf({ experience }: CvProfile, at: string): number | null {
  const now = monthOf(at.slice(0, 7), 0) ?? 0
  const spans = experience
    .flatMap(({ start, end }) => {
      const from = start === null ? null : monthOf(start, 0)
      const to = end === 'present' ? now + 1 : end === null ? null : monthOf(end, 1)
      return from === null || to === null || to <= from ? [] : [{ from, to: Math.min(to, now + 1) }]
    })
    .sort((a, b) => a.from - b.from)
  if (spans.length === 0) return null
  let months = 0
  let counted = Number.NEGATIVE_INFINITY
  for (const { from, to } of spans) {
    months += Math.max(0, to - Math.max(from, counted))
    counted = Math.max(counted, to)
  }
  return Math.round((months / MONTHS_PER_YEAR) * 2) / 2
}

/** Months since the year 0. `lastMonth` is 1 to include the month itself; a year alone means its beginning. */
function monthOf(text: string, lastMonth: 0 | 1): number | null {
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? []
  if (year === undefined) return null
  return Number(year) * MONTHS_PER_YEAR + (month === undefined ? 0 : Number(month) - 1 + lastMonth)
}

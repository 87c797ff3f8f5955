import { NAME_CHARS_MAX } from '../../../../contracts/limits.ts'
import type { CvProfile } from '../../../platform/extraction/cvProfile.ts'

const ITEMS_MAX = 200
const MONTHS_A_YEAR = 12
const SENIORITIES: readonly (readonly [string, RegExp])[] = [
  ['intern', /\b(intern|internship|trainee|praktikant\w*|stagiaire)\b/i],
  ['junior', /\b(junior|jr)\b/i],
  ['director', /\b(director|head of|vp|chief|cto|ceo|cfo)\b/i],
  ['principal', /\b(principal|staff)\b/i],
  ['lead', /\b(lead|leiter\w*|teamlead|team lead)\b/i],
  ['senior', /\b(senior|sr)\b/i],
]

/** What a talent is registered with, of all that a CV says. */
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

/** On one line and no longer than a name may be; null where nothing is left. */
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

/** Each once, however it is written. */
function names(items: readonly { readonly name: string }[]): string[] {
  const found = new Map<string, string>()
  for (const { name } of items) {
    const text = fitting(name)
    if (text !== null && !found.has(text.toLowerCase())) found.set(text.toLowerCase(), text)
  }
  return [...found.values()].slice(0, ITEMS_MAX)
}

/** By the title of the work that goes on, or that ended last. */
function seniorityOf({ experience }: CvProfile): string | null {
  const [newest] = experience.toSorted((a, b) => endOf(b.end).localeCompare(endOf(a.end)))
  const title = newest?.title ?? ''
  return SENIORITIES.find(([, words]) => words.test(title))?.[0] ?? null
}

function endOf(end: string | null): string {
  return end === 'present' ? '9999' : (end ?? '')
}

/** The months in which there was work, each counted once, in years to the half; null where the CV gives no dates. */
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
  return Math.round((months / MONTHS_A_YEAR) * 2) / 2
}

/** Months since the year 0. A month that it goes on to counts; of a year alone, its beginning. */
function monthOf(text: string, lastMonth: 0 | 1): number | null {
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? []
  if (year === undefined) return null
  return Number(year) * MONTHS_A_YEAR + (month === undefined ? 0 : Number(month) - 1 + lastMonth)
}

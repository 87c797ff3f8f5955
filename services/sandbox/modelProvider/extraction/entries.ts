import { findDate, findRange } from './dates.ts'
import { pointsOf } from './lists.ts'
import { looksLikeDegree, looksLikeOrganisation, looksLikeRole } from './organisationWords.ts'
import { isBullet } from './sections.ts'

/** One position or course of study in a CV: what, where and when. */
export type Entry = {
  readonly title: string | null
  readonly organisation: string | null
  readonly start: string | null
  readonly end: string | null
  readonly description: string | null
}

type Dated = { readonly at: number; readonly start: string | null; readonly end: string | null; readonly rest: string }
type Draft = { readonly parts: string[]; readonly dated: Dated; readonly description: string | null }

const HEAD_LINES_MAX = 2
const HEAD_WORDS_MAX = 8

/**
 * The entries of a section. Each entry has its dates, and all share one layout: the dates of each entry are preceded by
 * as many lines as those of the first.
 */
export function entriesOf(lines: readonly string[], of: 'work' | 'study'): Entry[] {
  const shown = lines.map((line) => line.trimEnd()).filter((line) => line.trim() !== '')
  const dated = datedLines(shown, of)
  const [first] = dated
  if (first === undefined) return undatedEntries(shown, of)
  const headLines = Math.min(first.at, HEAD_LINES_MAX)
  const drafts = dated.map((each, n) => {
    const end = dated[n + 1] === undefined ? shown.length : (dated[n + 1] as Dated).at - headLines
    return draftOf(
      each,
      shown.slice(each.at - headLines, each.at),
      shown.slice(each.at + 1, Math.max(end, each.at + 1)),
    )
  })
  const turned = organisationsComeFirst(drafts, of)
  return drafts.map(({ parts, dated: { start, end }, description }) => {
    const [one = null, other = null] = parts
    const [title, organisation] = turned ? [other, one] : [one, other]
    return { title, organisation, start, end, description }
  })
}

function datedLines(lines: readonly string[], of: 'work' | 'study'): Dated[] {
  return lines.flatMap((line, at): Dated[] => {
    if (isBullet(line) && !/^\s*[-*•]\s+.*\d{4}/.test(line)) return []
    const range = findRange(line)
    if (range) return [{ at, start: range.start, end: range.end, rest: restOf(line, range.found) }]
    // A single date ends a course of study. In lines about work, a year is mostly part of a sentence.
    const single = of === 'study' && !isBullet(line) ? findDate(line) : null
    return single ? [{ at, start: null, end: single.date, rest: restOf(line, single.found) }] : []
  })
}

/** The line without its dates. */
function restOf(line: string, found: string): string {
  return line
    .replace(found, '\t')
    .replace(/\(\s*\t\s*\)/, '\t')
    .replace(/^\s*[-*•]\s+/, '')
    .replace(/[\s,;:|–—-]*\t[\s,;:|–—-]*/g, '\t')
    .trim()
}

function draftOf(dated: Dated, head: readonly string[], after: readonly string[]): Draft {
  const pieces = [...head.map((line) => line.trim()), ...dated.rest.split('\t')].filter((piece) => piece !== '')
  let parts = pieces.flatMap((piece) => splitAt(piece, STRONG))
  if (parts.length === 1) parts = splitAt(parts[0] as string, WEAK)
  const rest = [...after]
  const next = rest[0]
  if (parts.length === 1 && next !== undefined && isHeadLine(next)) {
    parts.push(next.trim())
    rest.shift()
  } else if (parts.length === 0) {
    while (parts.length < 2 && rest[0] !== undefined && isHeadLine(rest[0])) parts.push((rest.shift() as string).trim())
  }
  return { parts, dated, description: pointsOf(rest).join(' ') || null }
}

const STRONG = /\s+\|\s+|\s+[–—]\s+|\s+-\s+|\t|\s+@\s+|\s+·\s+/
const WEAK = /\s+(?:at|bei|beim|chez|en)\s+|,\s+/

function splitAt(text: string, separator: RegExp): string[] {
  const parts = text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  // Commas after the first belong to the name or to the place that follows it.
  return separator === WEAK ? parts.slice(0, 2) : parts
}

function isHeadLine(line: string): boolean {
  return !isBullet(line) && !/[.!?;]$/.test(line.trim()) && line.trim().split(/\s+/).length <= HEAD_WORDS_MAX
}

function organisationsComeFirst(drafts: readonly Draft[], of: 'work' | 'study'): boolean {
  const looksLikeTitle = of === 'work' ? looksLikeRole : looksLikeDegree
  let score = 0
  for (const { parts } of drafts) {
    const [one, other] = parts
    if (one === undefined || other === undefined) continue
    score += Number(looksLikeOrganisation(one)) - Number(looksLikeOrganisation(other))
    score += Number(looksLikeTitle(other)) - Number(looksLikeTitle(one))
  }
  return score > 0
}

/** In a section without dates, each line is an entry. */
function undatedEntries(lines: readonly string[], of: 'work' | 'study'): Entry[] {
  const drafts = lines
    .filter((line) => !isBullet(line) || of === 'study')
    .map((line, at) => draftOf({ at, start: null, end: null, rest: restOf(line, '\n') }, [], []))
    .filter(({ parts }) => parts.length > 0)
  const turned = organisationsComeFirst(drafts, of)
  return drafts.map(({ parts: [one = null, other = null] }) => ({
    title: turned ? other : one,
    organisation: turned ? one : other,
    start: null,
    end: null,
    description: null,
  }))
}

import { fold } from './foldedText.ts'

/** `YYYY` or `YYYY-MM`; the end is `present` if the period is not over. */
export type DateRange = { readonly start: string | null; readonly end: string | null; readonly found: string }

const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'january', 'januar', 'janner', 'janvier', 'janv', 'enero', 'ene'],
  ['feb', 'february', 'februar', 'fevrier', 'fevr', 'fev', 'febrero'],
  ['mar', 'march', 'marz', 'mrz', 'mars', 'marzo'],
  ['apr', 'april', 'avril', 'avr', 'abril', 'abr'],
  ['may', 'mai', 'mayo'],
  ['jun', 'june', 'juni', 'juin', 'junio'],
  ['jul', 'july', 'juli', 'juillet', 'juil', 'julio'],
  ['aug', 'august', 'aout', 'agosto', 'ago'],
  ['sep', 'sept', 'september', 'septembre', 'septiembre'],
  ['oct', 'okt', 'october', 'oktober', 'octobre', 'octubre'],
  ['nov', 'november', 'novembre', 'noviembre'],
  ['dec', 'dez', 'december', 'dezember', 'decembre', 'diciembre', 'dic'],
]

/** Matches with and without the accents that folding removes. */
const MONTH = MONTHS.flat()
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replace(/e/g, '[eé]').replace(/a/g, '[aä]').replace(/u/g, '[uû]'))
  .join('|')
const YEAR = '(?:19|20)\\d{2}'
const POINT = `(?:${YEAR}[-/.](?:0[1-9]|1[0-2])(?!\\d)|(?:0?[1-9]|1[0-2])[/.]${YEAR}|(?:${MONTH})\\.?\\s+${YEAR}|${YEAR})`
const ONGOING =
  "(?:present|présent|now|today|current(?:ly)?|ongoing|to date|heute|jetzt|aktuell|laufend|aujourd['’]hui|ce jour|actuel(?:lement)?|en cours|actualidad|actualmente|hoy)"
const BETWEEN = "\\s*(?:-|–|—|to|until|till|through|bis(?: zum)?|à|au|jusqu[’']à|hasta|a)\\s*"
const BEFORE = '(?:from|von|vom|de|du|desde)\\s+'
const SINCE = '(?:since|seit|ab|depuis|desde)\\s+'

const RANGE = new RegExp(`(?<![\\p{L}\\d])(?:${BEFORE})?(${POINT})${BETWEEN}(${POINT}|${ONGOING})(?![\\p{L}\\d])`, 'iu')
const OPEN = new RegExp(`(?<![\\p{L}\\d])${SINCE}(${POINT})(?![\\p{L}\\d])`, 'iu')
const SINGLE = new RegExp(`(?<![\\p{L}\\d])(${POINT})(?![\\p{L}\\d])`, 'iu')

/** The period that a line names: from and to, or since when. */
export function findRange(line: string): DateRange | null {
  const range = RANGE.exec(line)
  if (range) {
    const [start, end] = [dateOf(range[1] ?? ''), endOf(range[2] ?? '')]
    return start === null && end === null ? null : { start, end, found: range[0] }
  }
  const open = OPEN.exec(line)
  const since = open ? dateOf(open[1] ?? '') : null
  return open && since !== null ? { start: since, end: 'present', found: open[0] } : null
}

/** A single date, such as the year of graduation. */
export function findDate(line: string): { readonly date: string; readonly found: string } | null {
  const single = SINGLE.exec(line)
  const date = single ? dateOf(single[1] ?? '') : null
  return single && date !== null ? { date, found: single[0] } : null
}

function endOf(text: string): string | null {
  return dateOf(text) ?? 'present'
}

function dateOf(text: string): string | null {
  const year = /(?:19|20)\d{2}/.exec(text)?.[0]
  if (year === undefined) return null
  const rest = text.replace(year, ' ')
  const digits = /\d{1,2}/.exec(rest)?.[0]
  const month = digits === undefined ? monthOf(rest) : Number(digits)
  return month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}` : year
}

function monthOf(text: string): number {
  const word = fold(text)
  return word === '' ? 0 : MONTHS.findIndex((names) => names.includes(word)) + 1
}

import { fold } from './foldedText.ts'
import { isBullet, withoutBullet } from './sections.ts'

export type Skill = { readonly name: string; readonly years: number | null }
export type Language = { readonly name: string; readonly level: string | null }

const YEARS =
  /[\s(,:–-]*\(?\b(\d{1,2}(?:[.,]\d)?)\+?\s*(?:years?|yrs?|jahren?|ans?|annees?|années?|años?)\b[^,;|)]*\)?/iu
const ITEM_CHARS_MAX = 60

/** Lines as the points of a list. A point that continues on the next line is joined. */
export function pointsOf(lines: readonly string[]): string[] {
  const points: string[] = []
  const bulleted = lines.some(isBullet)
  let open = false
  for (const line of lines) {
    const text = withoutBullet(line)
    if (text === '') {
      open = false
      continue
    }
    const last = points.at(-1)
    const continues = open && last !== undefined && !isBullet(line) && goesOn(last, text, bulleted)
    if (continues) points[points.length - 1] = `${last} ${text}`
    else points.push(text)
    open = true
  }
  return points
}

function goesOn(before: string, text: string, bulleted: boolean): boolean {
  if ('.!?:;'.includes(before.at(-1) ?? '.')) return false
  return bulleted || /^\p{Ll}/u.test(text)
}

/** Splits enumerations at commas, semicolons, bars and bullets. Commas in brackets do not split. */
export function namedItems(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => withoutBullet(line).split(/[,;|•·\t](?![^()]{0,100}\))|\s{3,}|\s\/\s/))
    .map((item) => item.trim().replace(/[.;,]+$/, ''))
    .filter((item) => item !== '')
}

export function skillsOf(lines: readonly string[]): Skill[] {
  // A line may begin with a label for its group of skills, such as "Databases: ".
  const unlabelled = lines.map((line) => line.replace(/^\s*(?:[-*•]\s+)?[\p{L} &/]{3,30}:\s+/u, ''))
  return namedItems(unlabelled)
    .filter((item) => item.length <= ITEM_CHARS_MAX)
    .map((item) => {
      const years = YEARS.exec(item)
      const name = (years ? item.replace(years[0], '') : item.replace(/\s*\([^)]*\)$/, '')).trim()
      return { name, years: years ? Number((years[1] ?? '').replace(',', '.')) : null }
    })
    .filter(({ name }) => name !== '')
}

export function languagesOf(lines: readonly string[]): Language[] {
  return namedItems(lines).flatMap((item): Language[] => {
    const parts =
      /^([\p{L} ]{2,30}?)\s*\(([^)]+)\)$/u.exec(item) ??
      /^([\p{L} ]{2,30}?)\s*(?::|–|—|\s-)\s*(.+)$/u.exec(item) ??
      /^([\p{L}]{2,30})\s+([ABC][12]|native|fluent|fließend|courant)$/iu.exec(item)
    if (parts) return [{ name: (parts[1] ?? '').trim(), level: (parts[2] ?? '').trim() }]
    return /^\p{L}[\p{L} ]{1,29}$/u.test(item) && fold(item).split(' ').length <= 2 ? [{ name: item, level: null }] : []
  })
}

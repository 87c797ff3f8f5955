import { LEVEL_YEARS, SENIORITY_LEVELS } from './vocabulary.ts'
import { wordsOf } from './words.ts'

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
export function levelAfter(years: number): number {
  if (years < 2) return 1
  if (years < 5) return 2
  return years < 8 ? 3 : 4
}

export function yearsAt(level: number): number {
  return LEVEL_YEARS[level] ?? 0
}

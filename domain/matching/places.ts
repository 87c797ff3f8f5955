import { CITIES } from './vocabulary.ts'
import { folded, wordsOf } from './words.ts'

export type Place = {
  readonly city: string | null
  readonly country: string | null
  /** Remote work is possible or wanted. */
  readonly isRemote: boolean
}

const REMOTE = /\b(remote|anywhere|home ?office|distributed|teletravail|von zu hause)\b/
const NOWHERE: Place = { city: null, country: null, isRemote: false }

/** "Zürich, Switzerland", "Berlin (remote possible)", "Remote". */
export function placeOf(text: string | null): Place {
  if (text === null) return NOWHERE
  const plain = folded(text)
  const isRemote = REMOTE.test(plain)
  const parts = plain
    .split(/[,;/()|]|\s-\s|\sor\s/)
    .map((part) =>
      wordsOf(part.replace(REMOTE, ' ')).filter((word) => !['hybrid', 'on', 'site', 'possible'].includes(word)),
    )
    .map((words) => words.join(' '))
    .filter((part) => part !== '')
  const [city = null, ...rest] = parts
  return { city: city === null ? null : (CITIES[city] ?? city), country: rest.at(-1) ?? null, isRemote }
}

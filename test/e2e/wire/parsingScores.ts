/** The score of a field over many documents. */
export type Score = { right: number; given: number; wanted: number }

type Fields = Map<string, string[]>

const OVERLAP_MIN = 0.8
/** Prose does not have to match word for word. */
const PROSE = new Set(['summary', 'experience.description'])
const PROSE_OVERLAP_MIN = 0.6

export class Scores {
  readonly #byField = new Map<string, Score>()

  /** Compares expected and extracted values per field: expected ones are found or missed, extracted ones right or wrong. */
  add(wanted: unknown, given: unknown): string[] {
    const [all, got] = [fieldsOf(wanted), fieldsOf(given)]
    const misses: string[] = []
    for (const field of new Set([...all.keys(), ...got.keys()])) {
      const left = [...(got.get(field) ?? [])]
      const score = this.#byField.get(field) ?? { right: 0, given: 0, wanted: 0 }
      score.given += left.length
      for (const value of all.get(field) ?? []) {
        score.wanted++
        const at = left.findIndex((each) => isSame(field, value, each))
        if (at === -1) misses.push(`${field}: missed ${JSON.stringify(value)}`)
        else {
          left.splice(at, 1)
          score.right++
        }
      }
      for (const value of left) misses.push(`${field}: wrong ${JSON.stringify(value)}`)
      this.#byField.set(field, score)
    }
    return misses
  }

  table(): { field: string; precision: number; recall: number; wanted: number }[] {
    return [...this.#byField].map(([field, { right, given, wanted }]) => ({
      field,
      precision: given === 0 ? 1 : right / given,
      recall: wanted === 0 ? 1 : right / wanted,
      wanted,
    }))
  }
}

/** The values at each place of a document; members of lists stand at the same place. */
function fieldsOf(document: unknown, path = '', fields: Fields = new Map()): Fields {
  if (Array.isArray(document)) {
    for (const item of document) fieldsOf(item, path, fields)
  } else if (typeof document === 'object' && document !== null) {
    for (const [name, value] of Object.entries(document))
      fieldsOf(value, path === '' ? name : `${path}.${name}`, fields)
  } else if (document !== null && document !== undefined) {
    fields.set(path, [...(fields.get(path) ?? []), String(document)])
  }
  return fields
}

function isSame(field: string, wanted: string, given: string): boolean {
  const [a, b] = [wordsOf(wanted), wordsOf(given)]
  if (a.join(' ') === b.join(' ')) return true
  const shared = a.filter((word) => b.includes(word)).length
  const overlap = shared / Math.max(a.length, b.length)
  return PROSE.has(field) ? overlap >= PROSE_OVERLAP_MIN : a.length >= 4 && overlap >= OVERLAP_MIN
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#.]+/u)
    .map((word) => word.replace(/\.$/, ''))
    .filter((word) => word !== '')
}

import { type DocumentNode, Kind, visit } from 'graphql'

/**
 * How much a document repeats its fields: the sum of the squares of how often each response name occurs. The validation
 * compares every two fields of the same name that may meet in the answer, so that this bounds its time.
 */
export function fieldRepetition(document: DocumentNode): number {
  const counts = new Map<string, number>()
  visit(document, {
    [Kind.FIELD]: ({ alias, name }) => {
      const shown = (alias ?? name).value
      counts.set(shown, (counts.get(shown) ?? 0) + 1)
    },
  })
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return sum
}

import { hasPart } from './hasPart.ts'

/**
 * The name that a typed text means: the text if it is a name or matches none, and the only name that contains it. null if
 * several contain it.
 */
export function foundName(text: string, names: readonly string[]): string | null {
  const typed = text.trim()
  if (typed === '' || names.includes(typed)) return typed
  const [first, ...others] = names.filter((name) => hasPart(name, typed))
  return others.length > 0 ? null : (first ?? typed)
}

/** What is under way, by what it does. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Does the same thing once while it is under way; later callers get its result. A button is drawn as busy only a moment
 * after it was pressed, so a double click presses it twice.
 */
export function joined<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const known = underWay.get(what) as Promise<Result> | undefined
  if (known) return known
  const begun = work().finally(() => underWay.delete(what))
  underWay.set(what, begun)
  return begun
}

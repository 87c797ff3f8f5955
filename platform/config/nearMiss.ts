/** Finds a variable that is one edit away from a known name: a typing error that would otherwise be ignored. */
export function findNearMiss(
  names: Iterable<string>,
  known: ReadonlySet<string>,
): { name: string; meant: string } | null {
  for (const name of names) {
    if (known.has(name)) continue
    for (const meant of known) if (isOneEditApart(name, meant)) return { name, meant }
  }
  return null
}

/** One character added, removed or replaced, or two neighbours swapped. */
export function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const restA = a.slice(start, endA)
  const restB = b.slice(start, endB)
  if (restA.length <= 1 && restB.length <= 1) return true
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0]
}

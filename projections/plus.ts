/** Counts and tokens almost always fit a double exactly, which is several times faster than bigint; this runs per call. */
export function plus(before: string | undefined, more: number | string): string {
  const from = Number(before ?? 0)
  const step = Number(more)
  const sum = from + step
  if (Number.isSafeInteger(from) && Number.isSafeInteger(step) && Number.isSafeInteger(sum)) return String(sum)
  return (BigInt(before ?? 0) + BigInt(more)).toString()
}

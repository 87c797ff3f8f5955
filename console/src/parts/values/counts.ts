/** What is wrong with a typed whole number; an empty one is right. */
export function countFault(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '' || (/^\d+$/.test(text) && Number(text) > 0 && Number(text) <= COUNT_MAX)) return undefined
  return Number(text) > COUNT_MAX ? `Enter a number of ${COUNT_MAX} or less.` : 'Enter a whole number of 1 or more.'
}

/** Whole numbers of the API have 32 bits. */
const COUNT_MAX = 2_147_483_647

/** The typed number; null if none was typed. */
export function countIn(typed: string): number | null {
  return typed.trim() === '' ? null : Number(typed)
}

export function countText(count: number | null): string {
  return count === null ? '' : String(count)
}

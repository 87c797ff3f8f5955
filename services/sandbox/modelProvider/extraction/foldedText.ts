/** Text in the form used for comparisons: lower case, no accents, single spaces, no punctuation at either end. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[’`]/g, "'")
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s:;,.*#•·|–—-]+|[\s:;,.*#•·|–—-]+$/g, '')
}

/** The words of a property name in any naming style: `employment_type`, `employmentType`, `Employment type`. */
export function nameWords(name: string): string {
  return fold(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' '))
}

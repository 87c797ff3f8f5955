/**
 * Checks `prompt` or `input`: a text, several texts, the tokens of one text, or those of several. Returns null, or why
 * the value is none of these.
 */
export function wrongTextInput(name: string, value: unknown): string | null {
  if (typeof value === 'string') return null
  if (!Array.isArray(value)) return `'${name}' must be a string or an array.`
  if (value.length === 0) return `'${name}' must not be empty.`
  switch (typeof value[0]) {
    case 'string': {
      const at = value.findIndex((text) => typeof text !== 'string')
      return at === -1 ? null : `'${name}[${at}]' must be a string, as '${name}[0]' is.`
    }
    case 'number':
      return wrongTokens(name, value)
    default:
      return Array.isArray(value[0])
        ? wrongTokenArrays(name, value)
        : `'${name}[0]' must be a string, a token or an array of tokens.`
  }
}

/** The number of texts in a valid value; an array of tokens is one text. */
export function countTexts(value: unknown): number {
  return Array.isArray(value) && typeof value[0] !== 'number' ? value.length : 1
}

function wrongTokenArrays(name: string, arrays: readonly unknown[]): string | null {
  for (let at = 0; at < arrays.length; at++) {
    const tokens = arrays[at]
    if (!Array.isArray(tokens)) return `'${name}[${at}]' must be an array of tokens, as '${name}[0]' is.`
    if (tokens.length === 0) return `'${name}[${at}]' must not be empty.`
    const wrong = wrongTokens(`${name}[${at}]`, tokens)
    if (wrong !== null) return wrong
  }
  return null
}

function wrongTokens(name: string, tokens: readonly unknown[]): string | null {
  const at = tokens.findIndex((token) => !Number.isSafeInteger(token) || (token as number) < 0)
  return at === -1 ? null : `'${name}[${at}]' must be a token: an integer of 0 or more.`
}

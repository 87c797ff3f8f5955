export type JsonFault = { readonly line: number; readonly column: number; readonly endsEarly: boolean }

/**
 * The place where a text stops being JSON; null if it is JSON. The engine's own message names the place only for some
 * faults, and quotes the text, which may be confidential.
 */
export function findJsonFault(text: string): JsonFault | null {
  const offset = faultOffset(text)
  if (offset === -1) return null
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line++
  return { line, column: offset - lineStart + 1, endsEarly: offset === text.length }
}

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd'

function faultOffset(text: string): number {
  const closers = new Closers()
  let expected: Expected = 'value'
  let at = skipSpace(text, 0)
  for (; at < text.length; at = skipSpace(text, at)) {
    const char = text[at] as string
    if (expected === 'commaOrEnd' && closers.depth === 0) return at
    if (char === closers.innermost && expected !== 'value' && expected !== 'key' && expected !== 'colon') {
      closers.leave()
      expected = 'commaOrEnd'
      at++
    } else if (expected === 'commaOrEnd' || expected === 'colon') {
      if (char !== (expected === 'colon' ? ':' : ',')) return at
      expected = expected === 'commaOrEnd' && closers.innermost === '}' ? 'key' : 'value'
      at++
    } else if (expected === 'key' || expected === 'keyOrEnd') {
      if (char !== '"') return at
      const end = endOfString(text, at)
      if (end < 0) return ~end
      expected = 'colon'
      at = end
    } else if (char === '{' || char === '[') {
      closers.enter(char === '{' ? '}' : ']')
      expected = char === '{' ? 'keyOrEnd' : 'valueOrEnd'
      at++
    } else {
      const end = endOfScalar(text, at)
      if (end < 0) return ~end
      expected = 'commaOrEnd'
      at = end
    }
  }
  return expected === 'commaOrEnd' && closers.depth === 0 ? -1 : text.length
}

/** One byte for each open bracket, because a body may consist of nothing else. */
class Closers {
  depth = 0
  innermost = ''
  private kinds = new Uint8Array(64)

  enter(closer: '}' | ']'): void {
    if (this.depth === this.kinds.length) {
      const larger = new Uint8Array(this.depth * 2)
      larger.set(this.kinds)
      this.kinds = larger
    }
    this.kinds[this.depth++] = closer.charCodeAt(0)
    this.innermost = closer
  }

  leave(): void {
    this.depth--
    this.innermost = this.depth === 0 ? '' : String.fromCharCode(this.kinds[this.depth - 1] as number)
  }
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const char = text[at]
    if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') break
    at++
  }
  return at
}

// The three below return the offset behind what they read, or the complement (~) of the offset of its fault.

function endOfScalar(text: string, start: number): number {
  const char = text[start] as string
  if (char === '"') return endOfString(text, start)
  if (char === '-' || isDigit(char)) return endOfNumber(text, start)
  for (const literal of ['true', 'false', 'null']) {
    if (literal[0] !== char) continue
    for (let i = 1; i < literal.length; i++) {
      if (text[start + i] !== literal[i]) return ~(start + i)
    }
    return start + literal.length
  }
  return ~start
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') return at + 1
    if (char < ' ') return ~at
    if (char !== '\\') continue
    const escaped = text[++at]
    if (escaped === undefined) break
    if (!'"\\/bfnrtu'.includes(escaped)) return ~at
    for (let digits = escaped === 'u' ? 4 : 0; digits > 0; digits--) {
      const digit = text[++at]
      if (digit === undefined) return ~text.length
      if (!/[0-9a-fA-F]/.test(digit)) return ~at
    }
  }
  return ~text.length
}

function endOfNumber(text: string, start: number): number {
  let at = text[start] === '-' ? start + 1 : start
  if (!isDigit(text[at])) return ~at
  at = text[at] === '0' ? at + 1 : endOfDigits(text, at)
  if (text[at] === '.') {
    at++
    if (!isDigit(text[at])) return ~at
    at = endOfDigits(text, at)
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at++
    if (text[at] === '+' || text[at] === '-') at++
    if (!isDigit(text[at])) return ~at
    at = endOfDigits(text, at)
  }
  return at
}

function endOfDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text[at])) at++
  return at
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}

import { Refusal } from './decider.ts'

/** Checks a text that a person typed: not empty, on one line, not too long. Returns it without surrounding blanks. */
export function requireText(value: string, what: string, charsMax: number): string {
  const text = value.trim()
  if (text === '') throw new Refusal('INVALID', `${what} must not be empty`)
  if (text.length > charsMax) throw new Refusal('INVALID', `${what} must have at most ${charsMax} characters`)
  // A lone surrogate is half a character: event stores refuse it.
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw new Refusal('INVALID', `${what} must not contain control characters`)
  return text
}

/** The same for an optional text. */
export function requireTextOrNull(value: string | null, what: string, charsMax: number): string | null {
  return value === null ? null : requireText(value, what, charsMax)
}

import { Refusal } from './decider.ts'

/** A name that a person gave: something, on one line, not endless. */
export function requireText(value: string, what: string, charsMax: number): string {
  const text = value.trim()
  if (text === '') throw new Refusal('INVALID', `${what} must not be empty`)
  if (text.length > charsMax) throw new Refusal('INVALID', `${what} must have at most ${charsMax} characters`)
  // A lone surrogate is half a character: no event store keeps it.
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw new Refusal('INVALID', `${what} must not contain control characters`)
  return text
}

/** The same for what may be left out. */
export function requireTextOrNull(value: string | null, what: string, charsMax: number): string | null {
  return value === null ? null : requireText(value, what, charsMax)
}

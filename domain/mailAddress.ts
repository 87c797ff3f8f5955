import { Refusal } from './decider.ts'

export const EMAIL_CHARS_MAX = 254

/** Excludes characters that would make a mail program read several addresses, or a different one. */
const ADDRESS = /^[^\s@\p{C}<>(),;:"[\]\\]+@[^\s@\p{C}<>(),;:"[\]\\]+\.[^\s@\p{C}<>(),;:"[\]\\]+$/u

/** A mail address in its canonical spelling. */
export function requireEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length > EMAIL_CHARS_MAX || !ADDRESS.test(email)) {
    throw new Refusal('INVALID', `${JSON.stringify(text.slice(0, 100))} is not a mail address`)
  }
  return email
}

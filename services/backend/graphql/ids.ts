import { notFound } from './apiError.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isId(text: string): boolean {
  return UUID.test(text)
}

/** An id that a caller sent. Text that is not an id names nothing, so it is NOT_FOUND. */
export function requireId(text: string, what: string): string {
  if (!isId(text)) throw notFound(what, text)
  return text
}

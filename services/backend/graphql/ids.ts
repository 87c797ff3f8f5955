import { isUuid } from '../../../contracts/uuid.ts'
import { notFound } from './apiError.ts'

/** An id that a caller sent. Text that is not an id names nothing, so it is NOT_FOUND. */
export function requireId(text: string, what: string): string {
  if (!isUuid(text)) throw notFound(what, text)
  return text
}

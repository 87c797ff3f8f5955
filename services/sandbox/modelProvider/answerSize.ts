import { HttpError } from '../../../platform/http/answer/httpError.ts'

/** An echo of a large prompt in many choices would otherwise take gigabytes. */
const ANSWER_CHARS_MAX = 16 * 1024 * 1024

/** Throws if the texts of an answer are longer than any model's. */
export function requireAnswerChars(chars: number): void {
  if (chars > ANSWER_CHARS_MAX)
    throw new HttpError(400, `the answer would have more than ${ANSWER_CHARS_MAX} characters`)
}

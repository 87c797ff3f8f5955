/** Limits that more than one process enforces; every other limit is defined next to the code that enforces it. */

export const REQUEST_BODY_BYTES_MAX = 10 * 1024 * 1024
/** A CV or a job posting sent as a file, including the overhead of a multipart body. */
export const DOCUMENT_BYTES_MAX = 10 * 1024 * 1024
/** The text of a CV or a job posting; far longer than any that a person would read. */
export const DOCUMENT_TEXT_CHARS_MAX = 200_000
export const NAME_CHARS_MAX = 100
/** The largest number of choices that any provider returns for one call. */
export const CHOICES_MAX = 128
/** Prompts of one legacy completion, each with its own choices. */
export const PROMPTS_MAX = 2_048

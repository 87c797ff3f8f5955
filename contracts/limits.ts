/** Limits that more than one process enforces; every other limit is defined next to the code that enforces it. */

export const REQUEST_BODY_BYTES_MAX = 10 * 1024 * 1024
/** Values of a request body for a model, in all arrays and objects: more tokens than any provider embeds at once. */
export const REQUEST_JSON_VALUES_MAX = 500_000
/** Members of its objects, which take several times as long to parse as array values. */
export const REQUEST_JSON_MEMBERS_MAX = 100_000
/** A CV or a job posting sent as a file, including the overhead of a multipart body. */
export const DOCUMENT_BYTES_MAX = 10 * 1024 * 1024
/** The text of a CV or a job posting; far longer than anyone would read. */
export const DOCUMENT_TEXT_CHARS_MAX = 200_000
export const NAME_CHARS_MAX = 100
/** The most choices that any provider returns for one call. */
export const CHOICES_MAX = 128
/** Prompts of one legacy completion, each with its own choices. */
export const PROMPTS_MAX = 2_048

export const USAGE_LABEL_CHARS_MAX = 64
/** Without parentheses and commas: `(other)` is ours, and Node joins repeated headers with a comma. */
const USAGE_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9 ._:/@#+=-]*[A-Za-z0-9._:/@#+=-])?$/

/** The rule in words, for refusals. */
export const USAGE_LABEL_RULE = `1 to ${USAGE_LABEL_CHARS_MAX} ASCII letters, digits, spaces and any of . _ : / @ # + = -, beginning with a letter or digit`

/** The label that calls are counted under once a company has used too many labels on a day. */
export const OTHER_LABEL = '(other)'

export function isUsageLabel(text: string): boolean {
  return text.length <= USAGE_LABEL_CHARS_MAX && USAGE_LABEL.test(text)
}

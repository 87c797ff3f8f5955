/** `web_search_20250305` and `web_search_preview_2025_03_11` are versions of tools. */
const DATE = /_\d{4}(?:_\d{2}_\d{2}|\d{4})$/
const PREVIEW = /_preview$/

export function withoutDate(type: string): string {
  return type.replace(DATE, '')
}

/** The name of a hosted tool without its version, because providers charge all versions alike. */
export function toolName(type: string): string {
  return withoutDate(type).replace(PREVIEW, '')
}

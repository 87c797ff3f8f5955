/** Below our mount, and below the base address of a provider. */
export const COUNT_TOKENS = '/messages/count_tokens'

/** The count in a provider's answer; null if there is none. */
export function readCount(json: unknown): number | null {
  if (typeof json !== 'object' || json === null || !('input_tokens' in json)) return null
  const { input_tokens: count } = json
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : null
}

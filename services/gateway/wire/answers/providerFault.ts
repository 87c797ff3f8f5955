import { PROVIDER_CODES, type ProviderCode } from '../../../../contracts/errors.ts'
import { isJsonObject } from '../../../../platform/http/body/parseJson.ts'

/** A provider's error in terms that all APIs share. */
export type ProviderFault = {
  readonly code: ProviderCode
  /** The field that the error is about, as the provider names it; to be redacted. */
  readonly param: string | null
}

/** Messages has types of errors in place of codes; some providers write the status. */
const SYNONYMS: Readonly<Record<string, ProviderCode>> = {
  rate_limit_error: 'rate_limit_exceeded',
  '429': 'rate_limit_exceeded',
}

/** The first of these values that is an error with a code of the catalogue; null if there is none. */
export function faultIn(...errors: readonly unknown[]): ProviderFault | null {
  for (const error of errors) {
    if (!isJsonObject(error)) continue
    const code = codeOf(error.code) ?? codeOf(error.type)
    if (code !== null) return { code, param: paramOf(error) }
  }
  return null
}

/** The field that an error is about; null if it names none. */
export function paramOf(error: unknown): string | null {
  return isJsonObject(error) && typeof error.param === 'string' ? error.param : null
}

function codeOf(value: unknown): ProviderCode | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  if (Object.hasOwn(PROVIDER_CODES, value)) return value as ProviderCode
  return Object.hasOwn(SYNONYMS, value) ? (SYNONYMS[value] ?? null) : null
}

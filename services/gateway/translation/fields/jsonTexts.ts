import { TOO_DEEP_MESSAGE } from '../../../../platform/http/body/bodyReaders.ts'
import { JSON_DEPTH_MAX } from '../../../../platform/http/body/jsonScan.ts'
import { isJsonObject } from '../../../../platform/http/body/parseJson.ts'
import { RequestRefused } from './requestRefused.ts'

/** A number with more digits than a double keeps, or with an exponent. Texts match it, too, which only takes time. */
const MAY_LOSE_DIGITS = /[\d.]{17}|\d[eE]/
const SIGNIFICANT_DIGITS_KEPT = 15

/** Newer than the type definitions of the language. */
type RawNumber = { readonly rawJSON: string }
const { rawJSON } = JSON as typeof JSON & { rawJSON?: (text: string) => RawNumber }

/**
 * The parsed text, in which a number that JavaScript would round stays as it is written, so that JSON.stringify repeats it: an
 * id of 64 bits among the arguments of a tool must not become another one. Undefined if the text is not JSON or too deep.
 */
export function parseExactly(text: string): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (isTooDeep(parsed)) return undefined
  if (rawJSON === undefined || !MAY_LOSE_DIGITS.test(text)) return parsed
  const keepDigits = (_: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source !== undefined && isRounded(value, source) ? rawJSON(source) : value
  // The reviver calls itself for each level, of which there are few now.
  return JSON.parse(text, keepDigits)
}

/** The object that the text of a tool call's arguments is. Some providers and clients write no arguments as no text. */
export function argumentsObject(text: string): object | undefined {
  if (text.trim() === '') return {}
  const parsed = parseExactly(text)
  return isJsonObject(parsed) ? parsed : undefined
}

/** Without recursion, because the value may be nested as deeply as its bytes allow. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= JSON_DEPTH_MAX; depth++) {
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'object' && item !== null) for (const inner of Object.values(item)) next.push(inner)
    }
    if (next.length === 0) return false
    level = next
  }
  return true
}

export function refuseTooDeep(body: unknown): void {
  if (isTooDeep(body)) throw new RequestRefused(null, TOO_DEEP_MESSAGE)
}

function isRounded(value: number, source: string): boolean {
  if (String(value) === source) return false
  const [digits = ''] = source.split(/[eE]/)
  const significant = digits.replace(/[-.]/g, '').replace(/^0+/, '')
  if (significant.replace(/0+$/, '').length > SIGNIFICANT_DIGITS_KEPT) return true
  return !Number.isFinite(value) || (value === 0 && significant !== '')
}

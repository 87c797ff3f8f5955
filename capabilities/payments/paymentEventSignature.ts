import { createHmac, timingSafeEqual } from 'node:crypto'

/** How far the timestamp of a signature may be in the past or the future. */
const SIGNATURE_TOLERANCE_SECONDS = 300

/**
 * Why a delivery cannot be trusted; null if its signature is valid. The check applies the provider's scheme to the raw
 * bytes: its SDK decodes them first, so different bytes may compare as equal, and it accepts timestamps in the future.
 */
export function signatureFault(body: Buffer, header: string | undefined, secret: string, nowMs: number): string | null {
  const read = readHeader(header)
  if (typeof read === 'string') return read
  const { timestamp, signatures } = read
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  if (!signatures.some((signature) => isSame(signature, expected))) {
    return 'no signature matches the body and the signing secret'
  }
  const ageSeconds = Math.floor(nowMs / 1_000) - Number(timestamp)
  if (ageSeconds > SIGNATURE_TOLERANCE_SECONDS) return 'the timestamp is too old'
  return -ageSeconds > SIGNATURE_TOLERANCE_SECONDS ? 'the timestamp lies in the future' : null
}

/** Why no body can match the header; null if one may. */
export function headerFault(header: string | undefined): string | null {
  const read = readHeader(header)
  return typeof read === 'string' ? read : null
}

/** The parsed header, or what is wrong with it. */
function readHeader(header: string | undefined): { timestamp: string; signatures: string[] } | string {
  if (header === undefined || header === '') return 'the header is missing'
  const parts = header.split(',').map((part) => part.split('='))
  const [timestamp, another] = valuesOf(parts, 't')
  if (timestamp === undefined || another !== undefined || !/^\d{1,12}$/.test(timestamp)) {
    return 'the header needs one timestamp'
  }
  const signatures = valuesOf(parts, 'v1')
  return signatures.length === 0 ? 'the header has no v1 signature' : { timestamp, signatures }
}

/** A header has several signatures while the secret is being rotated. */
function valuesOf(parts: readonly string[][], name: string): string[] {
  return parts.filter(([key, value]) => key?.trim() === name && value !== undefined).map(([, value]) => value as string)
}

function isSame(signature: string, expected: Buffer): boolean {
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

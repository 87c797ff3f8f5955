/** The parsed value; undefined if the bytes are not valid JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that the bytes contain; null if they are anything else. */
export function jsonObjectIn(bytes: Buffer): JsonObject | null {
  const value = parseJson(bytes)
  return isJsonObject(value) ? value : null
}

/** Providers and clients write null for a field that they leave out. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

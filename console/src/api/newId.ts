const BYTES = 16

/** A random id for what must be done once. `crypto.randomUUID` is missing on pages that are served without TLS. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}

const ID_BYTES = 16

/** A random idempotency key. `crypto.randomUUID` is missing on pages served without TLS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

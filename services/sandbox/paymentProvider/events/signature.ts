import { createHmac } from 'node:crypto'

/** The `stripe-signature` header of a body: the time, and an HMAC over time and body. The time guards against replay. */
export function signatureOf(body: string, secret: string, atSeconds: number): string {
  const v1 = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${v1}`
}

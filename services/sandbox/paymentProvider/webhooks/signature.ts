import { createHmac } from 'node:crypto'

/** The provider's signature over a body: a time against repeats, and a keyed hash over both. */
export function signatureOf(body: string, secret: string, atSeconds: number): string {
  const v1 = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${v1}`
}

import type { WireCase } from '../wireCase.ts'

/** An attack that runs until it is stopped. */
export type Flood = {
  readonly name: string
  readonly sent: WireCase
  /** hold: the connections stay open; repeat: the next request follows the answer; stream: the body is sent again and again. */
  readonly kind: 'hold' | 'repeat' | 'stream'
  readonly connections: number
  /** After the first of each connection, which all come at once. */
  readonly perSecond: number
  /** Its calls are answered, so the company that sends them must be charged for them. */
  readonly isCharged?: boolean
  /** It asks for more than one company may have, so most of its requests must be refused with 429. */
  readonly isRefused?: boolean
}

import type { ServiceName } from './routes.ts'

/** Part of what is sent. Kept small in fixtures: a body of megabytes is a repeated text. */
export type Piece = string | { readonly base64: string } | { readonly repeat: string; readonly times: number }

/**
 * One connection of an attacker, byte for byte. Kept as JSON among the fixtures, so that a finding can be repeated.
 * `{{key}}`, `{{internal}}`, `{{admin}}`, `{{payment}}` and `{{signature}}` in the head are filled in when it is sent.
 */
export type WireCase = {
  /** What is attacked and how, in a few words. */
  readonly name: string
  readonly service: ServiceName | 'mail'
  /** The request line and the headers with the blank line; empty if nothing is HTTP. */
  readonly head: string
  readonly body?: readonly Piece[]
  /** wait: for the answer; finish: half-closes the connection first; leave: destroys it at once. */
  readonly ending?: 'wait' | 'finish' | 'leave'
  /** How the model provider answers this call. Without it, as a provider should. */
  readonly provider?: readonly Piece[]
  /** The answer may be 502 or 503: a provider or a document is at fault. */
  readonly mayFail?: boolean
  /** The answer has this status; without one, an answer may also be missing if the connection ends. */
  readonly status?: number | 'any'
  /** No answer is due: the request is not complete, or not HTTP. */
  readonly mayHang?: boolean
}

export type HeadOptions = {
  readonly headers?: Readonly<Record<string, string | number | null>>
  readonly version?: string
}

/** The head of a request, with `connection: close` unless a header says otherwise; null leaves a header out. */
export function headOf(method: string, path: string, { headers = {}, version = '1.1' }: HeadOptions = {}): string {
  const all = { host: '127.0.0.1', connection: 'close', ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]))
  return `${method} ${path} HTTP/${version}\r\n${lines.join('')}\r\n`
}

export function bytesOf(piece: Piece): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece)
  if ('base64' in piece) return Buffer.from(piece.base64, 'base64')
  return Buffer.from(piece.repeat.repeat(piece.times))
}

export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => {
    if (typeof piece === 'object' && 'repeat' in piece) return sum + Buffer.byteLength(piece.repeat) * piece.times
    return sum + bytesOf(piece).length
  }, 0)
}

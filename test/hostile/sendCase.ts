import { createHmac } from 'node:crypto'
import net from 'node:net'
import { type AnswerHead, headIn, isWhole } from './answerBytes.ts'
import { CASE_MARK } from './target/hostileModels.ts'
import type { Target } from './target/target.ts'
import { bytesOf, type Piece, type WireCase } from './wireCase.ts'

const ANSWER_MS_MAX = 15_000
const KEPT_BYTES_MAX = 256 * 1024
const WRITTEN_BYTES_MAX = 64 * 1024

export type Outcome = {
  /** null if the connection ended, or the time was over, without an answer. */
  readonly answer: AnswerHead | null
  /** The first bytes of all that was received. */
  readonly text: string
  readonly bytes: number
  readonly ms: number
  /** Neither a whole answer nor the end of the connection came in time. */
  readonly timedOut: boolean
}

export type SendOptions = { readonly from?: string; readonly msMax?: number }

/** Opens a connection, sends the case, and waits for the answer or the end of the connection. */
export function sendCase(target: Target, sent: WireCase, options: SendOptions = {}): Promise<Outcome> {
  const { from, msMax = ANSWER_MS_MAX } = options
  const port = target.port(sent.service)
  if (port === undefined) throw new Error(`${sent.service} does not run here`)
  const head = Buffer.from(filledHead(target, sent), 'latin1')
  const forget = sent.provider ? target.models.answer(markIn(sent), sent.provider) : () => {}
  const beganMs = performance.now()
  return new Promise((resolve) => {
    const kept: Buffer[] = []
    let bytes = 0
    let hasEnded = false
    const socket = net.connect({ host: '127.0.0.1', port, ...(from ? { localAddress: from } : {}), noDelay: true })
    const end = (timedOut: boolean) => {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      forget()
      socket.destroy()
      const received = Buffer.concat(kept)
      resolve({
        ...{ answer: headIn(received), text: received.toString('latin1'), bytes, timedOut },
        ms: performance.now() - beganMs,
      })
    }
    const timer = setTimeout(() => end(true), msMax)
    socket.on('error', () => end(false))
    socket.on('close', () => end(false))
    socket.on('data', (chunk) => {
      bytes += chunk.length
      // The end of a long answer is kept in place of its middle.
      if (bytes > KEPT_BYTES_MAX) kept.splice(1, kept.length - 1, chunk)
      else kept.push(chunk)
      // A pipelined or kept connection does not close; one whole answer is enough.
      if (sent.head !== '' && isWhole(Buffer.concat(kept), bytes)) end(false)
    })
    // A mail server speaks first, and refuses clients that do not wait.
    socket.once(sent.service === 'mail' ? 'data' : 'connect', async () => {
      await write(socket, head)
      for (const piece of sent.body ?? []) await writePiece(socket, piece)
      if (sent.ending === 'leave') end(false)
      if (sent.ending === 'finish' && !socket.destroyed) socket.end()
    })
  })
}

async function writePiece(socket: net.Socket, piece: Piece): Promise<void> {
  const bytes = bytesOf(piece)
  for (let at = 0; at < bytes.length && !socket.destroyed; at += WRITTEN_BYTES_MAX) {
    await write(socket, bytes.subarray(at, at + WRITTEN_BYTES_MAX))
  }
}

/** Resolves when more can be written, or the connection is gone. */
function write(socket: net.Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || !socket.writable || socket.write(bytes)) return resolve()
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

/** The provider recognises the call by this text in its body. */
export function markIn({ body = [] }: WireCase): string {
  return CASE_MARK.exec(body.filter((piece) => typeof piece === 'string').join(''))?.[0] ?? 'unmarked'
}

function filledHead({ credentials }: Target, { head, body = [] }: WireCase): string {
  const signature = head.includes('{{signature}}')
    ? signatureOf(Buffer.concat(body.map(bytesOf)), credentials.webhookSecret)
    : ''
  return filled(head, { ...credentials, signature })
}

/** The text with every `{{name}}` replaced. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`{{${name}}} is not known`)
    return value
  })
}

function signatureOf(body: Buffer, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}

const CHUNKS_END = Buffer.from('\r\n0\r\n\r\n')
const STREAM_DONE = 'data: [DONE]'

/** One message without its body; for a streamed response, whether its last event has arrived. */
export type LeanMessage = { readonly head: string; readonly isDone: boolean }

/**
 * Splits the bytes of a socket into HTTP/1.1 messages with a content-length or chunks. Load and upstream of a benchmark
 * use it, because CPU time that they use is not available to the measured program. The end of the chunks is found by
 * its bytes, which no text of a benchmark contains.
 */
export function messageReader(onMessage: (message: LeanMessage) => void): (bytes: Buffer) => void {
  let received: Buffer = Buffer.alloc(0)
  /** How far the bytes were searched for the end of the chunks. */
  let searched = 0
  return (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const head = received.toString('latin1', 0, headEnd)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      const isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)
      const bodyFrom = headEnd + 4
      const end = isChunked ? chunksEnd(Math.max(bodyFrom - 2, searched)) : bodyFrom + Number(length ?? 0)
      searched = Math.max(0, received.length - CHUNKS_END.length)
      if (end === -1 || received.length < end) return
      const isDone = isChunked && received.subarray(bodyFrom, end).includes(STREAM_DONE)
      received = received.subarray(end)
      searched = 0
      onMessage({ head, isDone })
    }
  }

  function chunksEnd(from: number): number {
    const at = received.indexOf(CHUNKS_END, from)
    return at === -1 ? -1 : at + CHUNKS_END.length
  }
}

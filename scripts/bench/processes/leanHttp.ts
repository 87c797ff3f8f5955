/**
 * Cuts HTTP/1.1 messages that have a content-length out of what a socket receives. The load and the upstream of a
 * benchmark read by it, because what they use of the machine is missing to what is measured.
 */
export function messageReader(onMessage: (head: string) => void): (bytes: Buffer) => void {
  let received: Buffer = Buffer.alloc(0)
  return (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const head = received.toString('latin1', 0, headEnd)
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      const end = headEnd + 4 + length
      if (received.length < end) return
      received = received.subarray(end)
      onMessage(head)
    }
  }
}

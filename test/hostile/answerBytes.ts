export type AnswerHead = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

const HEAD_END = '\r\n\r\n'

/** The head of the first final answer in these bytes; null if there is none. */
export function headIn(bytes: Buffer): AnswerHead | null {
  return finalAnswer(bytes)?.head ?? null
}

/**
 * Whether a whole answer was received: its beginning and its end are given, and how many bytes there were in all. One
 * that ends with its connection is never known to be whole.
 */
export function isWhole(bytes: Buffer, bytesReceived = bytes.length): boolean {
  const answer = finalAnswer(bytes)
  if (!answer) return false
  const { headers, status } = answer.head
  if (status === 101 || status === 204 || status === 304) return true
  if (headers['transfer-encoding'] !== undefined) return answer.body.subarray(-7).includes('0\r\n\r\n')
  const length = headers['content-length']
  return length !== undefined && answer.body.length + bytesReceived - bytes.length >= Number(length)
}

/** The first answer that is not 100 Continue, and what follows its head. */
function finalAnswer(bytes: Buffer): { head: AnswerHead; body: Buffer } | null {
  let rest = bytes
  for (;;) {
    const end = rest.indexOf(HEAD_END)
    if (end === -1) return null
    const [first = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0)
    rest = rest.subarray(end + HEAD_END.length)
    if (status === 100 || status === 102 || status === 103) continue
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    return { head: { status, headers }, body: rest }
  }
}

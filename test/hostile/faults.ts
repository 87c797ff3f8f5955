import type { Outcome } from './sendCase.ts'
import type { Target } from './target/target.ts'
import type { WireCase } from './wireCase.ts'

/** Paths of our files and frames of a stack, which only an unexpected error would show. */
const INSIDE = /node_modules\/|file:\/\/\/|\n\s+at [\w.<>]+ \(|\.ts:\d+:\d+/
const OWN_FAULT = /"(INTERNAL_SERVER_ERROR)"|"internal error"/

/** The faults of an answer, whatever was sent. */
export function faultsOf({ secrets }: Target, sent: WireCase, { answer, text, timedOut }: Outcome): string[] {
  const faults: string[] = []
  if (timedOut && !sent.mayHang) faults.push('neither an answer nor an end of the connection')
  for (const secret of secrets) if (text.includes(secret)) faults.push('the answer contains a secret')
  if (OWN_FAULT.test(text)) faults.push('the answer reports a fault of ours')
  if (sent.status !== undefined && !isStatus(sent.status, answer?.status)) {
    faults.push(`the answer is ${answer?.status ?? 'missing'} and should be ${sent.status}`)
  }
  if (!answer) return faults
  const { status, headers } = answer
  const isJsonOrText = /json|text\/plain/.test(headers['content-type'] ?? '')
  if (isJsonOrText && status >= 400 && INSIDE.test(text)) faults.push('the answer shows files or a stack')
  if (status >= 500 && !(sent.mayFail && (status === 502 || status === 503))) faults.push(`status ${status}`)
  if (headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined) {
    faults.push('the answer has both Transfer-Encoding and Content-Length')
  }
  return faults
}

function isStatus(expected: number | 'any', status: number | undefined): boolean {
  return expected === 'any' ? status !== undefined : status === expected
}

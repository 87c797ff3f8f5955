import { unexpected } from '../../../domain/decider.ts'
import type { ProviderFault } from '../wire/answers/providerFault.ts'
import type { StreamEnd } from '../wire/streams/streamFormat.ts'
import type { ReportedUsage } from '../wire/usage/usageShape.ts'

export type StreamFailure = { readonly reason: string; readonly fault: ProviderFault | null }

/** The state of a stream on its way to the caller. It begins by waiting for the provider's bytes. */
export type StreamPassage = { readonly deliveredChars: number } & (
  | { readonly status: 'waiting' }
  /** Received bytes are being sorted and sent. */
  | { readonly status: 'sorting' }
  /** The caller has left. Received bytes are still read, because they may contain a finish_reason. */
  | { readonly status: 'left' }
  /** The caller left after a choice had finished, so the gateway waits for the usage block for a while. */
  | { readonly status: 'awaitingUsage' }
  /** The caller left a stream that is read to its end all the same. */
  | { readonly status: 'draining' }
  /** The caller has left and the provider call was aborted, so its body breaks off. */
  | { readonly status: 'givenUp' }
  | ({ readonly status: 'failed' } & StreamFailure)
)

/** `isEnding`: a choice has finished. `hasUnread`: received bytes have not been read yet. */
type WhatIsLeft = { readonly isEnding: boolean; readonly hasUnread: boolean }

export type PassageEvent =
  | { readonly type: 'bytesArrived' }
  | { readonly type: 'eventsPassed'; readonly deliveredChars: number }
  | ({ readonly type: 'bytesSorted' } & WhatIsLeft)
  | ({ readonly type: 'callerLeft'; readonly drains: boolean } & WhatIsLeft)
  /** The wait for the usage block, or the drain, is over. */
  | { readonly type: 'usageOverdue' }
  | ({ readonly type: 'failed' } & StreamFailure)

export const PASSAGE_BEGUN: StreamPassage = { status: 'waiting', deliveredChars: 0 }

/** The first failure counts. */
export function evolve(passage: StreamPassage, event: PassageEvent): StreamPassage {
  const { status, deliveredChars } = passage
  if (status === 'failed') return passage
  const hasCaller = status === 'waiting' || status === 'sorting'
  switch (event.type) {
    case 'bytesArrived':
      return status === 'waiting' ? { status: 'sorting', deliveredChars } : passage
    case 'eventsPassed':
      return hasCaller ? { status, deliveredChars: deliveredChars + event.deliveredChars } : passage
    case 'bytesSorted':
      if (status === 'sorting') return { status: 'waiting', deliveredChars }
      return status === 'left' ? { status: afterLeaving(event), deliveredChars } : passage
    case 'callerLeft':
      if (!hasCaller) return passage
      if (event.drains) return { status: 'draining', deliveredChars }
      return { status: afterLeaving(status === 'sorting' ? { ...event, hasUnread: true } : event), deliveredChars }
    case 'usageOverdue':
      return status === 'awaitingUsage' || status === 'draining' ? { status: 'givenUp', deliveredChars } : passage
    case 'failed':
      return { status: 'failed', deliveredChars, reason: event.reason, fault: event.fault }
    default:
      return unexpected(event)
  }
}

function afterLeaving({ isEnding, hasUnread }: WhatIsLeft): 'awaitingUsage' | 'left' | 'givenUp' {
  if (isEnding) return 'awaitingUsage'
  return hasUnread ? 'left' : 'givenUp'
}

/** How a stream ended: with a usage to charge, or as failed. */
export type PassedStream =
  | { readonly failure: StreamFailure; readonly deliveredChars: number }
  | { readonly failure: null; readonly usage: ReportedUsage }

/** Failures after which an answer may still be complete: the provider omitted the end or closed the connection. */
const AT_THE_END: ReadonlySet<string> = new Set(['client_left', 'provider_cut'])

/** With a usage block the answer is complete, even if the stream broke off afterwards. */
export function passedStream(passage: StreamPassage, { usage, finished, sawDone }: StreamEnd): PassedStream {
  const failure = passage.status === 'failed' ? passage : null
  const isWhole = failure === null || ((finished || sawDone) && AT_THE_END.has(failure.reason))
  if (usage !== null && isWhole) return { failure: null, usage }
  return { failure: failure ?? { reason: 'no_usage', fault: null }, deliveredChars: passage.deliveredChars }
}

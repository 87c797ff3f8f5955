import { unexpected } from '../../../domain/decider.ts'
import type { Usage } from '../../../domain/pricing/usage.ts'
import type { ProviderFault } from '../wire/answers/providerFault.ts'
import type { StreamEnd } from '../wire/streams/streamFormat.ts'

export type StreamFailure = { readonly reason: string; readonly fault: ProviderFault | null }

/** How far a stream has been passed on to its caller. */
export type StreamPassage = { readonly deliveredChars: number } /** The next bytes of the provider are awaited. */ & (
  | { readonly status: 'waiting' }
  /** Bytes that arrived together are being sorted and sent. */
  | { readonly status: 'sorting' }
  /** The caller has left. What has arrived is read first: a finish_reason may be in it. */
  | { readonly status: 'left' }
  /** The caller left when a choice had finished, so the usage block is awaited for a while. */
  | { readonly status: 'awaitingUsage' }
  /** The caller has left, and the provider call was ended for that. Its body breaks off. */
  | { readonly status: 'givenUp' }
  | ({ readonly status: 'failed' } & StreamFailure)
)

/** `isEnding`: a choice has finished. `hasUnread`: bytes have arrived that were not read yet. */
type WhatIsLeft = { readonly isEnding: boolean; readonly hasUnread: boolean }

export type PassageEvent =
  | { readonly type: 'bytesArrived' }
  | { readonly type: 'eventsPassed'; readonly deliveredChars: number }
  | ({ readonly type: 'bytesSorted' } & WhatIsLeft)
  | ({ readonly type: 'callerLeft' } & WhatIsLeft)
  | { readonly type: 'usageOverdue' }
  | ({ readonly type: 'failed' } & StreamFailure)

export const PASSAGE_BEGUN: StreamPassage = { status: 'waiting', deliveredChars: 0 }

/** The first failure stays. */
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
      return { status: afterLeaving(status === 'sorting' ? { ...event, hasUnread: true } : event), deliveredChars }
    case 'usageOverdue':
      return status === 'awaitingUsage' ? { status: 'givenUp', deliveredChars } : passage
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
  | { readonly failure: null; readonly usage: Usage }

/** Failures after which an answer may be complete: the provider omitted the end, or cut the connection. */
const AT_THE_END: ReadonlySet<string> = new Set(['client_left', 'provider_cut'])

/** With a usage block the answer is complete, even if the stream then broke off. */
export function passedStream(passage: StreamPassage, { usage, finished, sawDone }: StreamEnd): PassedStream {
  const failure = passage.status === 'failed' ? passage : null
  const isWhole = failure === null || ((finished || sawDone) && AT_THE_END.has(failure.reason))
  if (usage !== null && isWhole) return { failure: null, usage }
  return { failure: failure ?? { reason: 'no_usage', fault: null }, deliveredChars: passage.deliveredChars }
}

import type { Answer, AnswerEnd } from '../conversation/answer.ts'
import type { AnswerFrame } from '../conversation/answerFrame.ts'
import { itemId, outputItem } from './outputItems.ts'
import { responseObject } from './responseObject.ts'
import { statusFor } from './responsesStatus.ts'
import { responsesUsage } from './responsesUsage.ts'

/** The answer as Responses gives it. */
export function writeResponsesAnswer({ parts, ...end }: Answer, frame: AnswerFrame): object {
  const { status } = statusFor(end.stop)
  const last = parts.length - 1
  const output = parts.map((part, index) =>
    outputItem(
      part,
      itemId(part.type, frame.callId, index),
      index === last && status === 'incomplete' ? status : 'completed',
    ),
  )
  return endedResponse(output, end, frame)
}

/** A response that has come to its end. */
export function endedResponse(
  output: readonly object[],
  { stop, usage, serviceTier }: AnswerEnd,
  frame: AnswerFrame,
): object {
  return responseObject(frame, {
    ...statusFor(stop),
    output,
    usage: responsesUsage(usage),
    ...responsesTier(serviceTier),
  })
}

/** The member that tells the tier, if it is known. */
export function responsesTier(tier: string | null): { service_tier?: string } {
  if (tier === null) return {}
  return { service_tier: tier === 'standard' ? 'default' : tier }
}

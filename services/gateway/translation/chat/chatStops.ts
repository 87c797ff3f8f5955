import type { StopReason } from '../conversation/answer.ts'
import { untranslatable } from '../conversation/answer.ts'

const REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  length: 'maxTokens',
  tool_calls: 'toolCalls',
  content_filter: 'contentFilter',
}

/** `hasCalls`: with a tool that the request names, the reason is `stop` although the model waits for its result. */
export function stopOfChat(reason: string, hasCalls: boolean): StopReason {
  const stop = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  if (stop === undefined) throw untranslatable('a finish_reason that is not known')
  return stop === 'end' && hasCalls ? 'toolCalls' : stop
}

const WRITTEN: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  stopSequence: 'stop',
  maxTokens: 'length',
  contextWindow: 'length',
  toolCalls: 'tool_calls',
  contentFilter: 'content_filter',
}

export function chatStop(stop: StopReason): string {
  return WRITTEN[stop]
}

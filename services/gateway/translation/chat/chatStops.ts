import type { StopReason } from '../conversation/answer.ts'
import { untranslatable } from '../conversation/answer.ts'

const REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  length: 'maxTokens',
  tool_calls: 'toolCalls',
  content_filter: 'contentFilter',
}

export function stopOfChat(reason: string): StopReason {
  const stop = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  if (stop === undefined) throw untranslatable('a finish_reason that is not known')
  return stop
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

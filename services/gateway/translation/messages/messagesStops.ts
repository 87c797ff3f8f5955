import { type StopReason, untranslatable } from '../conversation/answer.ts'

const REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'stopSequence',
  max_tokens: 'maxTokens',
  model_context_window_exceeded: 'contextWindow',
  tool_use: 'toolCalls',
  refusal: 'contentFilter',
}

/** `pause_turn` is for tools that the provider runs, which are not translated. */
export function stopOfMessages(reason: string): StopReason {
  const stop = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  if (stop === undefined) throw untranslatable('a stop_reason that has no translation')
  return stop
}

export function messagesStop(stop: StopReason): string {
  const [reason] = Object.entries(REASONS).find(([, value]) => value === stop) ?? ['end_turn']
  return reason
}

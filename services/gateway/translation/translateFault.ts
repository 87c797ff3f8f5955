import { isJsonObject } from '../../../platform/http/body/parseJson.ts'
import { faultIn, type ProviderFault } from '../wire/answers/providerFault.ts'
import type { TranslatedWire } from './conversation/reasoningState.ts'
import type { TranslationWay } from './translateRequest.ts'

/** Fields that the APIs name differently. All others have one name, or none. */
const NAMES: readonly Readonly<Record<TranslatedWire, readonly string[]>>[] = [
  {
    chat: ['max_completion_tokens', 'max_tokens'],
    responses: ['max_output_tokens'],
    messages: ['max_tokens'],
  },
  { chat: ['messages'], responses: ['input'], messages: ['messages'] },
  {
    chat: ['response_format'],
    responses: ['text.format', 'text'],
    messages: ['output_config.format', 'output_config'],
  },
  { chat: ['reasoning_effort'], responses: ['reasoning.effort', 'reasoning'], messages: ['thinking'] },
  { chat: ['stop'], responses: [], messages: ['stop_sequences'] },
]
const SAME: ReadonlySet<string> = new Set(['temperature', 'top_p', 'tools', 'tool_choice', 'service_tier', 'stream'])
/** Messages has no code for it, only these words. */
const TOO_LONG = /\bprompt is too long\b|\bexceeds? (?:the )?context (?:limit|window)\b/i

/**
 * What a provider's error says about the request, with the field as the caller's API names it. A path into the messages has
 * other positions there, so only the field is named.
 */
export function translateFault(error: unknown, { caller, provider }: TranslationWay): ProviderFault | null {
  const fault = faultIn(error) ?? contextFault(error, provider)
  return fault && { ...fault, param: fault.param === null ? null : callerParam(fault.param, caller, provider) }
}

function contextFault(error: unknown, provider: TranslatedWire): ProviderFault | null {
  if (provider !== 'messages' || !isJsonObject(error) || typeof error.message !== 'string') return null
  return TOO_LONG.test(error.message) ? { code: 'context_length_exceeded', param: null } : null
}

/** Null if the caller's API has no such field. */
export function callerParam(param: string, caller: TranslatedWire, provider: TranslatedWire): string | null {
  const [field = ''] = param.split(/[.[]/)
  if (SAME.has(field)) return field
  const names = NAMES.find(({ [provider]: own }) => own.includes(param) || own.includes(field))
  return names?.[caller][0] ?? null
}

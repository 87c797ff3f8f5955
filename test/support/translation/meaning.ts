import type { Conversation } from '../../../services/gateway/translation/conversation/conversation.ts'
import type { TranslatedWire } from '../../../services/gateway/translation/conversation/reasoningState.ts'

/**
 * A conversation without what the APIs say in several ways: where a value stood in its request, a choice that is the
 * default, settings of tools without tools, and the name of a format, which Messages does not have.
 */
export function meaningOf(conversation: Conversation, wires: readonly TranslatedWire[]): unknown {
  const { toolChoice, parallelToolCalls, outputFormat, tools, ...rest } = conversation
  const choice = tools.length === 0 || toolChoice?.value.mode === 'auto' ? undefined : toolChoice
  const isAlone = tools.length > 0 && choice?.value.mode !== 'none' && parallelToolCalls?.value === false
  const hidesName = wires.includes('messages') && outputFormat?.value.type === 'schema'
  return withoutPaths({
    ...rest,
    tools: tools.map((tool) => ({ ...tool, strict: tool.strict ?? false })),
    toolChoice: choice,
    isAlone,
    outputFormat: hidesName ? { ...outputFormat, value: { ...outputFormat.value, name: undefined } } : outputFormat,
  })
}

/** The generated values have no member of this name, apart from paths. */
function withoutPaths(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'at' ? undefined : member)))
}

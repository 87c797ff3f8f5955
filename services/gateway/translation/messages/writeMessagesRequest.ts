import type { Conversation, OutputFormat, ReasoningSetting, Tool, ToolChoice } from '../conversation/conversation.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { notTranslated, valueNotTranslated, wrongField } from '../fields/requestRefused.ts'
import { present, refuseGiven } from '../fields/requestSettings.ts'
import { writeTurns } from './writeBlocks.ts'

const TEMPERATURE_MAX = 1

export type MessagesRequestOptions = {
  readonly model: string
  /** This API wants a limit; the other two have the model's own if there is none. */
  readonly maxTokensDefault: number
}

/** The conversation as a request of Messages. Throws RequestRefused for what Messages cannot express. */
export function writeMessagesRequest(
  conversation: Conversation,
  leftOut: LeftOut,
  { model, maxTokensDefault }: MessagesRequestOptions,
): object {
  const { turns, stream, tools, temperature, maxTokens, verbosity } = conversation
  refuseGiven(verbosity, conversation.frequencyPenalty, conversation.presencePenalty, conversation.seed)
  refusePrefill(conversation)
  if ((temperature?.value ?? 0) > TEMPERATURE_MAX) {
    throw wrongField(temperature?.at ?? 'temperature', `must be at most ${TEMPERATURE_MAX} for this model.`)
  }
  const format = outputFormat(conversation.outputFormat?.value, conversation.outputFormat?.at ?? '')
  const effort = conversation.reasoning?.effort
  if (effort?.value === 'minimal') throw valueNotTranslated(effort.at, effort.value)
  const output = present({ effort: effort?.value, format })
  return {
    model,
    max_tokens: maxTokens?.value ?? maxTokensDefault,
    ...writeTurns(turns, leftOut),
    ...(stream ? { stream } : {}),
    ...(tools.length > 0 ? { tools: tools.map(messagesTool) } : {}),
    ...present({
      tool_choice: toolChoice(conversation),
      thinking: thinking(conversation.reasoning),
      output_config: Object.keys(output).length > 0 ? output : undefined,
      temperature: temperature?.value,
      top_p: conversation.topP?.value,
      top_k: conversation.topK?.value,
      stop_sequences: conversation.stop?.value,
      service_tier: serviceTier(conversation.serviceTier),
    }),
  }
}

/** A last message of the assistant is one that the model goes on with here, and one that it answers elsewhere. */
function refusePrefill({ turns, continuesLastTurn }: Conversation): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || continuesLastTurn) return
  throw wrongField(
    last.at,
    'must not be the last one for this model, which would continue it; add a message of the user.',
  )
}

function messagesTool({ name, description, schema, strict }: Tool): object {
  return { name, ...present({ description }), input_schema: schema, ...(strict ? { strict } : {}) }
}

const TYPES = { auto: 'auto', required: 'any', none: 'none' } as const

function toolChoice({ tools, toolChoice: given, parallelToolCalls }: Conversation): object | undefined {
  const choice: ToolChoice | undefined = given?.value
  const isAlone = parallelToolCalls?.value === false
  // Without tools there is nothing to choose, and this API refuses a choice then.
  if (tools.length === 0 || (choice === undefined && !isAlone)) return undefined
  if (choice?.mode === 'none') return { type: 'none' }
  const type = choice?.mode === 'tool' ? { type: 'tool', name: choice.name } : { type: TYPES[choice?.mode ?? 'auto'] }
  return { ...type, ...(isAlone ? { disable_parallel_tool_use: true } : {}) }
}

function outputFormat(format: OutputFormat | undefined, at: string): object | undefined {
  if (format === undefined) return undefined
  if (format.type === 'json') throw valueNotTranslated(at, 'json_object')
  // A description would become part of the prompt.
  if (format.description !== undefined) throw notTranslated(`${at}.description`)
  return { type: 'json_schema', schema: format.schema }
}

function thinking(reasoning: ReasoningSetting | undefined): object | undefined {
  if (reasoning === undefined) return undefined
  const { isOff, effort, budgetTokens, shows } = reasoning
  if (isOff) return { type: 'disabled' }
  if (effort === undefined && budgetTokens === undefined && shows === undefined) return undefined
  if (budgetTokens !== undefined) return { type: 'enabled', budget_tokens: budgetTokens.value, ...display(shows) }
  return { type: 'adaptive', ...display(shows) }
}

function display(shows: ReasoningSetting['shows']): object {
  return shows === undefined ? {} : { display: shows.value === 'nothing' ? 'omitted' : 'summarized' }
}

function serviceTier(tier: Conversation['serviceTier']): string | undefined {
  if (tier === undefined || tier.value === 'auto') return tier?.value
  if (tier.value === 'standard') return 'standard_only'
  throw valueNotTranslated(tier.at, tier.value)
}

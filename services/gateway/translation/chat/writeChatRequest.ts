import type {
  Conversation,
  Given,
  OutputFormat,
  ReasoningSetting,
  Tool,
  ToolChoice,
} from '../conversation/conversation.ts'
import { effortOfBudget } from '../conversation/reasoningEffort.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { notTranslated, valueNotTranslated, wrongField } from '../fields/requestRefused.ts'
import { present, refuseGiven, serviceTierFor } from '../fields/requestSettings.ts'
import { writeChatMessages } from './writeChatMessages.ts'

const STOPS_MAX = 4
/** Chat wants a name, which models do not see. */
export const FORMAT_NAME = 'answer'

export type ChatRequestOptions = {
  readonly model: string
  /** Older providers know only `max_tokens`, and newer models of OpenAI refuse it. */
  readonly tokenLimit?: 'max_tokens' | 'max_completion_tokens'
}

/** The conversation as a request of chat completions. Throws RequestRefused for what chat cannot express. */
export function writeChatRequest(
  conversation: Conversation,
  leftOut: LeftOut,
  { model, tokenLimit = 'max_completion_tokens' }: ChatRequestOptions,
): object {
  const { stream, tools, reasoning, maxTokens, stop } = conversation
  refuseGiven(conversation.topK)
  if (conversation.continuesLastTurn) throw notTranslated(conversation.turns.at(-1)?.at ?? 'messages')
  if (maxTokens?.value === 0) throw wrongField(maxTokens.at, 'must be at least 1 for this model.')
  if ((stop?.value.length ?? 0) > STOPS_MAX)
    throw wrongField(stop?.at ?? 'stop', `must have at most ${STOPS_MAX} texts.`)
  if (conversation.serviceTier?.value === 'ultrafast')
    throw valueNotTranslated(conversation.serviceTier.at, 'ultrafast')
  return {
    model,
    messages: writeChatMessages(conversation.turns, leftOut),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 ? { tools: tools.map(chatTool) } : {}),
    ...present({
      tool_choice: chatToolChoice(conversation.toolChoice?.value),
      parallel_tool_calls: conversation.parallelToolCalls?.value,
      response_format: chatFormat(conversation.outputFormat?.value),
      verbosity: conversation.verbosity?.value,
      reasoning_effort: writtenEffort(reasoning, leftOut),
      [tokenLimit]: maxTokens?.value,
      temperature: conversation.temperature?.value,
      top_p: conversation.topP?.value,
      frequency_penalty: conversation.frequencyPenalty?.value,
      presence_penalty: conversation.presencePenalty?.value,
      seed: conversation.seed?.value,
      stop: stop?.value,
      service_tier: serviceTierFor(conversation.serviceTier),
    }),
  }
}

/** What chat and Responses call effort. A budget becomes the effort that comes nearest to it, unless there is one. */
export function writtenEffort(
  reasoning: ReasoningSetting | undefined,
  leftOut: LeftOut,
  shows = false,
): string | undefined {
  if (reasoning === undefined) return undefined
  const { isOff, effort, budgetTokens, shows: shown } = reasoning
  if (isOff) return 'none'
  if (budgetTokens !== undefined) leftOut.add('budget_tokens')
  if (shown?.value === 'summary' && !shows) leftOut.add('summary')
  return effort?.value ?? (budgetTokens && effortOfBudget(budgetTokens.value))
}

function chatTool({ name, description, schema, strict }: Tool): object {
  const named = { name, ...present({ description }), parameters: schema, ...(strict ? { strict } : {}) }
  return { type: 'function', function: named }
}

function chatToolChoice(choice: ToolChoice | undefined): unknown {
  return choice?.mode === 'tool' ? { type: 'function', function: { name: choice.name } } : choice?.mode
}

function chatFormat(format: Given<OutputFormat>['value'] | undefined): unknown {
  if (format === undefined) return undefined
  if (format.type === 'json') return { type: 'json_object' }
  const { name = FORMAT_NAME, description, schema, strict } = format
  return { type: 'json_schema', json_schema: { name, ...present({ description }), schema, ...present({ strict }) } }
}

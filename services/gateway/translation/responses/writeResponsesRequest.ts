import { FORMAT_NAME, writtenEffort } from '../chat/writeChatRequest.ts'
import type { Conversation, OutputFormat, ReasoningSetting, Tool, ToolChoice } from '../conversation/conversation.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { notTranslated, wrongField } from '../fields/requestRefused.ts'
import { present, refuseGiven, serviceTierFor } from '../fields/requestSettings.ts'
import { writeItems } from './writeItems.ts'

/** The conversation as a request of Responses, which stores nothing. Throws RequestRefused for what it cannot express. */
export function writeResponsesRequest(
  conversation: Conversation,
  leftOut: LeftOut,
  { model }: { readonly model: string },
): object {
  const { turns, stream, tools, maxTokens, frequencyPenalty, presencePenalty, seed, stop, topK } = conversation
  refuseGiven(frequencyPenalty, presencePenalty, seed, stop, topK)
  if (conversation.continuesLastTurn) throw notTranslated(turns.at(-1)?.at ?? 'messages')
  if (maxTokens?.value === 0) throw wrongField(maxTokens.at, 'must be at least 1 for this model.')
  const text = present({ format: format(conversation.outputFormat?.value), verbosity: conversation.verbosity?.value })
  return {
    model,
    input: writeItems(turns, leftOut),
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(stream ? { stream } : {}),
    ...(tools.length > 0 ? { tools: tools.map(responsesTool) } : {}),
    ...present({
      tool_choice: toolChoice(conversation.toolChoice?.value),
      parallel_tool_calls: conversation.parallelToolCalls?.value,
      text: Object.keys(text).length > 0 ? text : undefined,
      reasoning: reasoning(conversation.reasoning, leftOut),
      max_output_tokens: maxTokens?.value,
      temperature: conversation.temperature?.value,
      top_p: conversation.topP?.value,
      service_tier: serviceTierFor(conversation.serviceTier),
    }),
  }
}

/** Strict is the default here, and of no other API, so it is always said. */
function responsesTool({ name, description, schema, strict = false }: Tool): object {
  return { type: 'function', name, ...present({ description }), parameters: schema, strict }
}

function toolChoice(choice: ToolChoice | undefined): unknown {
  return choice?.mode === 'tool' ? { type: 'function', name: choice.name } : choice?.mode
}

function format(asked: OutputFormat | undefined): unknown {
  if (asked === undefined) return undefined
  if (asked.type === 'json') return { type: 'json_object' }
  const { name = FORMAT_NAME, description, schema, strict } = asked
  return { type: 'json_schema', name, ...present({ description }), schema, ...present({ strict }) }
}

function reasoning(setting: ReasoningSetting | undefined, leftOut: LeftOut): object | undefined {
  const effort = writtenEffort(setting, leftOut, true)
  const summary = setting?.shows?.value === 'summary' ? 'auto' : undefined
  const written = present({ effort, summary })
  return Object.keys(written).length > 0 ? written : undefined
}

import { z } from 'zod'
import { type ChatRequest, textOf } from './chatSchema.ts'
import type { JsonSchema } from './extraction/schemaNode.ts'
import { type Answer, answerTo, type Demand, demandedTool, type Question, type Tool } from './question.ts'

const jsonSchemaFormat = z.looseObject({
  response_format: z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }),
  }),
})

/** The reply to a chat. */
export function replyTo(request: ChatRequest): Answer {
  return answerTo(chatQuestion(request))
}

function chatQuestion(request: ChatRequest): Question {
  return {
    turns: request.messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    schema: requestedSchema(request),
    tool: demandedTool(demandOf(request), () => toolsOf(request)),
    tokensMax: request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY,
  }
}

const functionTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()).optional() }),
})
const demand = z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) })

function toolsOf({ tools }: ChatRequest): Tool[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap((each) => {
    const tool = functionTool.safeParse(each).data?.function
    return tool ? [{ name: tool.name, schema: tool.parameters ?? { type: 'object' } }] : []
  })
}

function demandOf({ tool_choice: choice }: ChatRequest): Demand {
  if (choice === 'required') return 'any'
  return typeof choice === 'object' ? (demand.safeParse(choice).data?.function ?? null) : null
}

/** The JSON schema that the request demands of the answer; null if it demands none. */
function requestedSchema(request: ChatRequest): JsonSchema | null {
  return jsonSchemaFormat.safeParse(request).data?.response_format.json_schema.schema ?? null
}

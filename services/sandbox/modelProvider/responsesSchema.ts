import { z } from 'zod'
import { textOf } from './chatSchema.ts'
import { demandedTool, type Question, type Tool } from './question.ts'

const part = z.looseObject({ type: z.string(), text: z.string().optional() })
const content = z.union([z.string(), z.array(part)]).nullish()
const item = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content,
  output: z.unknown().optional(),
})

/** The fields of a Responses request that the sandbox reads. Others are accepted and ignored, as providers do. */
export const responsesRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.int().positive().nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  tool_choice: z.unknown().optional(),
  text: z.unknown().optional(),
})

export type ResponsesRequest = z.infer<typeof responsesRequest>

const schemaFormat = z.looseObject({
  format: z.looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }),
})
const functionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
})
const demand = z.looseObject({ type: z.literal('function'), name: z.string() })

export function responsesQuestion(request: ResponsesRequest): Question {
  const { input, instructions, tools, tool_choice: choice } = request
  const turns =
    typeof input === 'string'
      ? [{ role: 'user', text: input }]
      : input.map(({ role, content: sent, output }) => ({
          role: role ?? 'tool',
          text: textOf(sent) || (typeof output === 'string' ? output : ''),
        }))
  const own = () =>
    (tools ?? []).flatMap((each): Tool[] => {
      const tool = functionTool.safeParse(each).data
      return tool ? [{ name: tool.name, schema: tool.parameters ?? { type: 'object' } }] : []
    })
  return {
    turns: instructions ? [{ role: 'system', text: instructions }, ...turns] : turns,
    schema: schemaFormat.safeParse(request.text).data?.format.schema ?? null,
    tool: demandedTool(choice === 'required' ? 'any' : (demand.safeParse(choice).data ?? null), own),
    tokensMax: request.max_output_tokens ?? Number.POSITIVE_INFINITY,
  }
}

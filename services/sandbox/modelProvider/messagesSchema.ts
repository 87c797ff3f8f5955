import { z } from 'zod'
import { demandedTool, type Question, type Tool } from './question.ts'

const block = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() })
const content = z.union([z.string(), z.array(block)])
const tool = z.looseObject({
  name: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
})

/** The fields of a Messages request that the sandbox reads. Others are accepted and ignored, as providers do. */
export const messagesRequest = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
  system: content.nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).nullish(),
  output_config: z.unknown().optional(),
})

export const countRequest = messagesRequest.extend({ max_tokens: z.unknown().optional() })

type MessagesRequest = z.infer<typeof countRequest>

const schemaFormat = z.looseObject({
  format: z.looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }),
})

export function messagesQuestion(request: MessagesRequest): Question {
  const { messages, system, tool_choice: choice, max_tokens: tokensMax } = request
  const own = () =>
    (request.tools ?? []).flatMap((each): Tool[] =>
      each.name === undefined ? [] : [{ name: each.name, schema: each.input_schema ?? { type: 'object' } }],
    )
  const turns = messages.map(({ role, content: sent }) => ({ role, text: textOf(sent) }))
  const named = choice?.type === 'tool' && choice.name !== undefined ? { name: choice.name } : null
  return {
    turns: system ? [{ role: 'system', text: textOf(system) }, ...turns] : turns,
    schema: schemaFormat.safeParse(request.output_config).data?.format.schema ?? null,
    tool: demandedTool(choice?.type === 'any' ? 'any' : named, own),
    tokensMax: typeof tokensMax === 'number' ? tokensMax : Number.POSITIVE_INFINITY,
  }
}

/** The results of tools are text, too. */
function textOf(sent: z.infer<typeof content>): string {
  if (typeof sent === 'string') return sent
  return sent.map(({ text, content: inner }) => text ?? (typeof inner === 'string' ? inner : '')).join(' ')
}

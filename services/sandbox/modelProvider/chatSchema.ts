import { z } from 'zod'

/** Far more than a chat has. A schema collects a fault for each wrong item, and half a million faults take long. */
const ITEMS_MAX = 20_000

/** Items are checked only if there are not too many. */
function listOf<Item extends z.ZodType>(item: Item, itemsMin: number) {
  const items = z.toJSONSchema(item, { io: 'input' })
  const list = z.array(z.unknown()).min(itemsMin).max(ITEMS_MAX).meta({ items })
  return list.pipe(z.array(item))
}

const part = z.looseObject({ type: z.string(), text: z.string().optional() })
const message = z.looseObject({ role: z.string(), content: z.union([z.string(), listOf(part, 0)]).nullish() })

/** The fields of a chat request that the sandbox reads. Others are accepted and ignored, as providers do. */
export const chatRequest = z.looseObject({
  model: z.string(),
  messages: listOf(message, 1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.int().min(1).max(16).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
})

export type ChatRequest = z.infer<typeof chatRequest>

export function textOf(content: ChatRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((piece) => piece.text ?? '').join(' ')
}

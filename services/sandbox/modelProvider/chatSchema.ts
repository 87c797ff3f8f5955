import { z } from 'zod'

const part = z.looseObject({ type: z.string(), text: z.string().optional() })

/** The fields of a chat request that the sandbox reads. Others are accepted and ignored, as providers do. */
export const chatRequest = z.looseObject({
  model: z.string(),
  messages: z
    .array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(part)]).nullish() }))
    .min(1),
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

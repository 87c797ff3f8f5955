export const MODEL_ALIASES = [
  'svc/chat-premium',
  'svc/chat-default',
  'svc/chat-cheap',
  'svc/extract-default',
  'svc/extract-fast',
  'svc/embed-default',
] as const
export type ModelAlias = (typeof MODEL_ALIASES)[number]

export function isModelAlias(text: string): text is ModelAlias {
  return (MODEL_ALIASES as readonly string[]).includes(text)
}

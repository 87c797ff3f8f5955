/** An alias is any name of this form that PROVIDERS_FILE assigns to a model. */
const ALIAS = /^[a-z0-9][a-z0-9._:/-]{0,99}$/

export const ALIAS_RULE =
  'begins with a lower-case letter or a digit and has at most 100 characters out of a-z, 0-9 and . _ : / -'

/** Whether the text can be the name of a model alias; PROVIDERS_FILE and the price book decide which of them exist. */
export function isModelAlias(text: string): boolean {
  return ALIAS.test(text)
}

/** The catalogue of an installation without PROVIDERS_FILE: the sandbox answers for each of these. */
export const SANDBOX_ALIASES = [
  'svc/chat-premium',
  'svc/chat-default',
  'svc/chat-cheap',
  'svc/extract-default',
  'svc/extract-fast',
  'svc/embed-default',
] as const

/** The aliases that parsing and the AI service use. */
export const DEFAULT_ALIASES = {
  chat: 'svc/chat-default',
  extract: 'svc/extract-default',
  extractFast: 'svc/extract-fast',
  embed: 'svc/embed-default',
} as const

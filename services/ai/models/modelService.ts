import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'

/** The external AI services that background work uses. Each has a circuit breaker of the same name. */
export const MODEL_SERVICES = ['chat', 'extract', 'embed'] as const
export type ModelService = (typeof MODEL_SERVICES)[number]

export const ALIAS_OF: Readonly<Record<ModelService, string>> = {
  chat: DEFAULT_ALIASES.chat,
  extract: DEFAULT_ALIASES.extract,
  embed: DEFAULT_ALIASES.embed,
}

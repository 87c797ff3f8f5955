import type { ModelAlias } from '../../../contracts/aliases.ts'

/** The external AI services that background work uses. Each has a circuit breaker of the same name. */
export const MODEL_SERVICES = ['chat', 'extract', 'embed'] as const
export type ModelService = (typeof MODEL_SERVICES)[number]

export const ALIAS_OF: Readonly<Record<ModelService, ModelAlias>> = {
  chat: 'svc/chat-default',
  extract: 'svc/extract-default',
  embed: 'svc/embed-default',
}

import { MODEL_ALIASES } from '../../../contracts/aliases.ts'
import { sendJson } from '../../platform/http/answers.ts'
import type { GatewayRoute } from '../route.ts'
import type { LiveKey } from '../views/keys.ts'

/** 2026-01-01: an alias is a stable name, so all of them are as old as the service. */
const CREATED_SECONDS = 1_767_225_600

export const models: GatewayRoute = {
  method: 'GET',
  path: '/models',
  scope: 'inference:chat',
  handle: async (_parts, { key, response, headers }) => {
    sendJson(response, 200, listModels(key), headers)
  },
}

/** The aliases that a key may call. */
export function listModels(key: LiveKey) {
  const callable = MODEL_ALIASES.filter((alias) => key.models?.has(alias) ?? true)
  const data = callable.map((id) => ({ id, object: 'model', created: CREATED_SECONDS, owned_by: 'svc' }))
  return { object: 'list', data }
}

import { MODEL_ALIASES } from '../../../contracts/aliases.ts'
import { sendJson } from '../../platform/http/answers.ts'
import type { GatewayRoute } from '../route.ts'

/** 2026-01-01: an alias is a stable name, so all of them are as old as the service. */
const CREATED_SECONDS = 1_767_225_600

export const models: GatewayRoute = {
  method: 'GET',
  path: '/models',
  scope: 'inference:chat',
  handle: async (_parts, { key, response, headers }) => {
    const callable = MODEL_ALIASES.filter((alias) => key.models?.has(alias) ?? true)
    const data = callable.map((id) => ({ id, object: 'model', created: CREATED_SECONDS, owned_by: 'svc' }))
    sendJson(response, 200, { object: 'list', data }, headers)
  },
}

import { anyQuery, route } from '../../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import { modelAnswer, modelOf } from './models.ts'
import { MOUNT } from './mount.ts'

export const model = (deps: GatewayDependencies) =>
  route({
    method: 'GET',
    // An alias may have slashes, which clients send as they are or encoded.
    path: `${MOUNT}/models/*id`,
    access: 'key',
    scope: 'inference:chat',
    tag: 'Models',
    summary: 'One model that this key may call',
    description: 'The slashes of the alias may be encoded.',
    query: anyQuery,
    answer: modelAnswer,
    refusals: { 404: 'there is no such model, or the key may not call it' },
    handle: ({ caller, params: { id = '' } }: { caller: RequestContext; params: Readonly<Record<string, string>> }) => {
      const found = modelOf(deps, caller.key, id)
      if (found) return found
      const name = JSON.stringify(id.slice(0, 100))
      throw new GatewayError('unknownRoute', `There is no model ${name} for this key. GET /models lists its models.`)
    },
  })

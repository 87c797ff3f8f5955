import { z } from 'zod'
import { isoTime } from '../../platform/clock/clock.ts'
import { anyQuery, route } from '../../platform/http/route.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { RequestContext } from '../requestContext.ts'
import type { LiveKey } from '../views/keys.ts'
import { MOUNT } from './mount.ts'

/** 2026-01-01. An alias is a stable name, so all of them are as old as the service. */
const CREATED_SECONDS = 1_767_225_600

export const modelsAnswer = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ id: z.string(), object: z.string(), created: z.number(), owned_by: z.string() })),
})

export const MODELS_SUMMARY = 'Lists the model aliases that this key may call: those with a provider and a price.'

export const models = (deps: GatewayDependencies) =>
  route({
    method: 'GET',
    path: `${MOUNT}/models`,
    access: 'key',
    scope: 'inference:chat',
    tag: 'Models',
    summary: MODELS_SUMMARY,
    query: anyQuery,
    answer: modelsAnswer,
    handle: ({ caller }: { caller: RequestContext }) => listModels(deps, caller.key),
  })

/** In the order of PROVIDERS_FILE. */
export function listModels(
  { providerTable, views, clock }: Pick<GatewayDependencies, 'providerTable' | 'views' | 'clock'>,
  key: LiveKey,
): z.infer<typeof modelsAnswer> {
  const at = isoTime(clock.now())
  const mayCall = (alias: string) => key.models?.has(alias) ?? true
  const callable = Object.keys(providerTable).filter(
    (alias) => mayCall(alias) && views.prices.priceAt(key.companyId, alias, at),
  )
  const data = callable.map((id) => ({ id, object: 'model', created: CREATED_SECONDS, owned_by: 'svc' }))
  return { object: 'list', data }
}

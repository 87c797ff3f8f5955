import type { AliasProviders } from '../../../capabilities/providers/providersFile.ts'
import { speaks } from '../../../capabilities/providers/wires.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import { withoutElements } from '../wire/json/jsonMembers.ts'
import { fieldMeant, type InferenceRequest } from '../wire/requests/inferenceRequest.ts'
import { withoutDate } from '../wire/requests/toolVersion.ts'
import type { WireFormat } from '../wire/wireFormat.ts'

/** Refuses a call if no provider of the alias serves this API. Unknown aliases are refused elsewhere. */
export function checkWire(
  { model }: Pick<InferenceRequest, 'model'>,
  { name, endpoint }: Pick<WireFormat, 'name' | 'endpoint'>,
  entry: Pick<AliasProviders, 'providers'> | undefined,
): void {
  if (entry === undefined || entry.providers.some((provider) => speaks(provider, name))) return
  throw invalidRequest(`The model ${model} is not available over POST ${endpoint}. GET /models lists its APIs.`)
}

/**
 * The request with only the hosted tools that the alias allows, in this version or any. Others are refused, or dropped if the
 * alias says so, unless the request requires them or has them outside its list of tools.
 */
export function withOfferedTools(
  request: InferenceRequest,
  { allow = [], unofferedTools = 'refuse' }: Pick<AliasProviders, 'allow' | 'unofferedTools'> = {},
): InferenceRequest {
  const { model, hostedTools = [], droppableTools } = request
  const isOffered = (tool: string) => allow.includes(tool) || allow.includes(withoutDate(tool))
  if (hostedTools.every(isOffered)) return request
  const isDroppable = (tool: string) => unofferedTools === 'drop' && droppableTools?.types.includes(tool)
  const refused = hostedTools.find((tool) => !isOffered(tool) && !isDroppable(tool))
  if (refused !== undefined || droppableTools === undefined) {
    const name = JSON.stringify(refused?.slice(0, 100))
    throw new GatewayError('invalidRequest', `The model ${model} does not offer the hosted tool ${name}.`, {
      param: 'tools',
    })
  }
  const { types, spans } = droppableTools
  const dropped = withoutElements(spans, (position) => {
    const type = types[position] ?? null
    return type !== null && !isOffered(type)
  })
  return {
    ...request,
    hostedTools: hostedTools.filter(isOffered),
    forwardedAs: (providerModel) => request.forwardedAs(providerModel, dropped),
  }
}

/**
 * Refuses a request with a field that the operator has excluded for this alias, whatever its value, and also in another
 * letter case, because a provider may accept that.
 */
export function checkFields(
  { model, fieldNames }: Pick<InferenceRequest, 'model' | 'fieldNames'>,
  { refuse = [] }: Pick<AliasProviders, 'refuse'> = {},
): void {
  if (refuse.length === 0) return
  for (const name of fieldNames) {
    const param = refuse.includes(name) ? name : fieldMeant(name, refuse)
    if (param === null) continue
    throw new GatewayError('invalidRequest', `The model ${model} does not accept '${param}'; leave it out.`, { param })
  }
}

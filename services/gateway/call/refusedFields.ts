import type { AliasProviders } from '../../platform/providers/providersFile.ts'
import { speaks } from '../../platform/providers/wires.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import { fieldMeant, type InferenceRequest } from '../wire/inferenceRequest.ts'
import type { WireFormat } from '../wire/wireFormat.ts'

/** Refuses a call of an alias none of whose providers serves this API. An unknown alias is refused elsewhere. */
export function checkWire(
  { model }: Pick<InferenceRequest, 'model'>,
  { name, endpoint }: Pick<WireFormat, 'name' | 'endpoint'>,
  entry: Pick<AliasProviders, 'providers'> | undefined,
): void {
  if (entry === undefined || entry.providers.some((provider) => speaks(provider, name))) return
  throw invalidRequest(`The model ${model} is not available over POST ${endpoint}. GET /models lists its APIs.`)
}

/**
 * Refuses a request with a field that the operator does not want to pay for with this alias. A field counts whatever its
 * value, and in another case too, because a provider may read it.
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

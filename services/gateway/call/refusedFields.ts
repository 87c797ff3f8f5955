import type { AliasProviders } from '../../platform/providers/providersFile.ts'
import { GatewayError } from '../gatewayError.ts'
import { fieldMeant, type InferenceRequest } from '../wire/inferenceRequest.ts'

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

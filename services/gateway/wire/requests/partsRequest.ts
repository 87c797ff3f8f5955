import {
  type EndpointRules,
  type FieldsCheck,
  type FoundParts,
  type InferenceRequest,
  ONE_CHOICE,
  type Refused,
  type RequestFields,
  readInferenceRequest,
} from './inferenceRequest.ts'

type PartsApi = Pick<EndpointRules, 'reads' | 'tokenBounds' | 'tokensMin'> & {
  readonly wrongFields: FieldsCheck
  partsOf(fields: RequestFields): FoundParts
}

/** Reads requests of Responses or Messages, which have one choice and are looked through at every depth. */
export function partsRequest({ wrongFields, partsOf, ...api }: PartsApi) {
  const rules: EndpointRules = {
    ...api,
    asksForUsage: false,
    looksInside: 'all',
    choices: () => ONE_CHOICE,
    parts: partsOf,
  }
  return {
    read: (body: Buffer): InferenceRequest | Refused => readInferenceRequest(body, wrongFields, rules),
    /** The fields that the schema of the route cannot describe: null, or why they are refused. */
    wrong: (fields: RequestFields): string | null => wrongFields(fields) ?? partsOf(fields).refused,
  }
}

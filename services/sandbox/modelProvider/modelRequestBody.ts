import type { z } from 'zod'
import { REQUEST_BODY_BYTES_MAX, REQUEST_JSON_MEMBERS_MAX, REQUEST_JSON_VALUES_MAX } from '../../../contracts/limits.ts'
import { jsonBody } from '../../platform/http/bodyReaders.ts'

/** A body within the limits that the gateway has too. */
export function modelRequestBody<Schema extends z.ZodType>(schema: Schema) {
  return jsonBody(schema, REQUEST_BODY_BYTES_MAX, {
    valuesMax: REQUEST_JSON_VALUES_MAX,
    membersMax: REQUEST_JSON_MEMBERS_MAX,
  })
}

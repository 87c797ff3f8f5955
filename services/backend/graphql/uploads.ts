import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { jsonExcess, SERVICE_JSON_VALUES_MAX } from '../../../platform/http/body/jsonScan.ts'
import { type FormPart, readMultipart } from '../../../platform/http/body/multipart.ts'
import { GRAPHQL_BODY_BYTES_MAX } from './limits/bodyLimit.ts'

/** Files of one request, beside the operation and the list of where they belong. */
export const GRAPHQL_FILES_MAX = 10
/** Places of the files of one request. A file may have several. */
export const GRAPHQL_FILE_PATHS_MAX = 20
const FILE_PATH_CHARS_MAX = 200

export type Operations = GraphQLParams | GraphQLParams[]

/**
 * The operations of a multipart body with its files in their places, by the GraphQL multipart request specification. The
 * library's own parser creates whatever a path names, such as the last element of a list of four billion. Here a path must lead
 * to a null that the variables have. Throws a 400 for anything else.
 */
export function uploadedOperations(body: Buffer, contentType: string): Operations {
  const parts = readMultipart(body, contentType, GRAPHQL_FILES_MAX + 2)
  if (parts === 'unreadable') throw new HttpError(400, 'the multipart body cannot be read')
  if (parts === 'too many parts') throw new HttpError(400, `a request has at most ${GRAPHQL_FILES_MAX} files`)
  const operations = objectIn(parts, 'operations')
  const places = Object.entries(objectIn(parts, 'map'))
  if (!places.every(([, paths]) => Array.isArray(paths))) {
    throw new HttpError(400, 'the field map must hold a list of paths for each file')
  }
  if (places.reduce((sum, [, { length }]) => sum + length, 0) > GRAPHQL_FILE_PATHS_MAX) {
    throw new HttpError(400, `the files of a request have at most ${GRAPHQL_FILE_PATHS_MAX} places`)
  }
  for (const [name, paths] of places) {
    const file = fileIn(parts, name)
    for (const path of paths) putFile(operations, path, file)
  }
  return operations as Operations
}

/** Gives Yoga the operations that the route has read. */
export const uploads: Plugin = {
  onRequestParse: ({ serverContext, setRequestParser }) => {
    const { uploaded } = serverContext as unknown as { readonly uploaded?: Operations }
    if (uploaded) setRequestParser(() => uploaded)
  },
}

/** The JSON of a field, which has the limits of a JSON body. */
function objectIn(parts: readonly FormPart[], field: string): object {
  const bytes = parts.find(({ name, filename }) => name === field && filename === null)?.bytes
  if (!bytes) throw new HttpError(400, `the multipart body has no field ${field}`)
  if (bytes.length > GRAPHQL_BODY_BYTES_MAX || jsonExcess(bytes, { valuesMax: SERVICE_JSON_VALUES_MAX })) {
    throw new HttpError(400, `the field ${field} is too large or too complex`)
  }
  const value = jsonIn(bytes)
  if (typeof value !== 'object' || value === null) throw new HttpError(400, `the field ${field} must hold JSON`)
  return value
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

function fileIn(parts: readonly FormPart[], field: string): File {
  const part = parts.find(({ name, filename }) => name === field && filename !== null)
  if (!part?.filename) throw new HttpError(400, `the multipart body has no file ${JSON.stringify(field.slice(0, 100))}`)
  return new File([new Uint8Array(part.bytes)], part.filename, { type: part.contentType })
}

/** In a batch, a path begins with the number of its operation. */
function putFile(operations: object, path: unknown, file: File): void {
  const keys = typeof path === 'string' && path.length <= FILE_PATH_CHARS_MAX ? path.split('.') : []
  const last = keys.at(-1)
  const holder = keys.slice(0, -1).reduce<unknown>(ownValue, operations)
  const isOfVariables = keys[Array.isArray(operations) ? 1 : 0] === 'variables'
  if (last === undefined || !isOfVariables || ownValue(holder, last) !== null) {
    const shown = JSON.stringify(String(path).slice(0, FILE_PATH_CHARS_MAX))
    throw new HttpError(400, `the path ${shown} of the field map does not lead to a null of the variables`)
  }
  Object.assign(holder as object, { [last]: file })
}

/** undefined if the value has no such member of its own. */
function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

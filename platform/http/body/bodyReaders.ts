import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { ZodOpenApiMediaTypeObject } from 'zod-openapi'
import { HttpError } from '../answer/httpError.ts'
import { checkedBy } from '../checkedBy.ts'
import type { RequestPlace } from '../limits/requestPlaces.ts'
import { JSON_DEPTH_MAX, type JsonLimits, SERVICE_JSON_VALUES_MAX } from './jsonScan.ts'
import { type BodyFault, readBody, type ScannedJson } from './requestBody.ts'

/** The allowed bodies by media type, as the OpenAPI document shows them. */
export type Contents = Readonly<Record<string, ZodOpenApiMediaTypeObject>>

/** How a route reads its body, and how the document describes it. */
export type BodyReader<Body> = {
  readonly contents: Contents
  /** Throws an HttpError if the body is not what the route accepts. */
  read(request: IncomingMessage, place: RequestPlace): Promise<Body>
}

/** A request to a service that is not on the hot path. */
export const SERVICE_BODY_BYTES_MAX = 64 * 1024
const SERVICE_JSON: ScannedJson = { valuesMax: SERVICE_JSON_VALUES_MAX }

/** JSON that the schema accepts. */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
  bytesMax = SERVICE_BODY_BYTES_MAX,
  json = SERVICE_JSON,
): BodyReader<z.infer<Schema>> {
  return {
    contents: { 'application/json': { schema } },
    read: async (request, place) =>
      checkedBy(schema, jsonIn(await wholeBody(request, bytesMax, place, json)), 'The body'),
  }
}

/** The bytes as they were sent. */
export function bytesBody(contents: Contents, bytesMax: number, json?: ScannedJson): BodyReader<Buffer> {
  return { contents, read: (request, place) => wholeBody(request, bytesMax, place, json) }
}

const FAULT_STATUS: Readonly<Record<BodyFault, number>> = {
  'too large': 413,
  encoded: 415,
  aborted: 400,
  slow: 408,
  'too many chunks': 400,
  'too deep': 400,
  'too many values': 400,
}

/** The body as bytes, or an HttpError that says why there is none: 400, 408, 413, 415, 429 or 503. */
export async function wholeBody(
  request: IncomingMessage,
  bytesMax: number,
  place: RequestPlace,
  json?: ScannedJson,
): Promise<Buffer> {
  const body = await readBody(request, bytesMax, place, json)
  if (typeof body !== 'string') return body
  throw new BodyRefused(body, bytesMax, json)
}

export class BodyRefused extends HttpError {
  readonly fault: BodyFault

  constructor(fault: BodyFault, bytesMax: number, json?: ScannedJson) {
    super(FAULT_STATUS[fault], messageOf(fault, bytesMax, json))
    this.name = 'BodyRefused'
    this.fault = fault
  }
}

function messageOf(fault: BodyFault, bytesMax: number, json?: ScannedJson): string {
  switch (fault) {
    case 'too large':
      return `The body is larger than ${bytesMax} bytes.`
    case 'encoded':
      return 'Compressed bodies are not accepted. Send the body without content-encoding.'
    case 'aborted':
      return 'The body ended before it was complete.'
    case 'too many chunks':
      return 'The body is sent in too many small chunks. Send larger ones.'
    case 'slow':
      return 'The body did not arrive in time. Send it faster.'
    case 'too deep':
      return TOO_DEEP_MESSAGE
    case 'too many values':
      return tooManyValuesMessage(json)
  }
}

export const TOO_DEEP_MESSAGE = `The body is nested more than ${JSON_DEPTH_MAX} levels deep.`

function tooManyValuesMessage({ valuesMax, membersMax = valuesMax }: JsonLimits = SERVICE_JSON): string {
  const members = membersMax < valuesMax ? `, or more than ${membersMax} members of objects` : ''
  return `The body has more than ${valuesMax} values${members}.`
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new HttpError(400, 'The body is not JSON.')
  }
}

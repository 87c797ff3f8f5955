import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { REQUEST_BODY_BYTES_MAX } from '../../../contracts/limits.ts'
import { sendJson } from '../../platform/http/answers.ts'
import { parseJson } from '../../platform/http/parseJson.ts'
import { readBody } from '../../platform/http/requestBody.ts'

/** What was asked, or null after a refusal: 400 with the first thing that is wrong. */
export async function readRequest<Schema extends z.ZodType>(
  request: IncomingMessage,
  response: ServerResponse,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  const body = await readBody(request, REQUEST_BODY_BYTES_MAX)
  const parsed = Buffer.isBuffer(body) ? schema.safeParse(parseJson(body)) : null
  if (parsed?.success) return parsed.data
  const issue = parsed?.error.issues[0]
  refuse(response, issue ? `${issue.path.join('.')}: ${issue.message}` : 'the body cannot be read')
  return null
}

export function refuse(response: ServerResponse, why: string): void {
  sendJson(response, 400, { error: { message: `sandbox: ${why}`, type: 'invalid_request_error', code: null } })
}

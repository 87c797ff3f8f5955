import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi'
import type { Scope } from '../../../contracts/scopes.ts'
import { CV, JOB } from '../../platform/extraction/parseTarget.ts'
import { API_VERSION, type OpenApiDocument } from '../../platform/http/openApi.ts'
import { readingTools } from '../mcp/readingTools.ts'
import {
  chatAnswer,
  chatRequest,
  completionAnswer,
  completionRequest,
  embeddingAnswer,
  embeddingRequest,
  errorEnvelope,
  parseRequest,
} from './bodies.ts'

type Operation = {
  readonly tag: string
  readonly summary: string
  readonly scope: Scope
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Other forms of the body beside JSON. */
  readonly forms?: Readonly<Record<string, object>>
  readonly answer: z.ZodType
  readonly isStreamed?: boolean
}

const FILE_FORMS = {
  'text/plain': { schema: { type: 'string' } },
  'multipart/form-data': {
    schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  },
}

/** What a reading call takes and gives is what the tool of its name does: one schema for both. */
function reading(name: string, path: string, tag: string): Readonly<Record<string, Operation>> {
  const tool = readingTools.find((one) => one.name === name)
  if (!tool) throw new Error(`there is no tool ${name}`)
  const { description: summary, scope, input, output: answer } = tool
  return { [`get ${path}`]: { tag, summary, scope, query: input, answer } }
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'post /chat/completions': {
    tag: 'Inference',
    summary: 'Chat completion',
    scope: 'inference:chat',
    body: chatRequest,
    answer: chatAnswer,
    isStreamed: true,
  },
  'post /completions': {
    tag: 'Inference',
    summary: 'Legacy text completion',
    scope: 'inference:chat',
    body: completionRequest,
    answer: completionAnswer,
    isStreamed: true,
  },
  'post /embeddings': {
    tag: 'Inference',
    summary: 'Embeddings',
    scope: 'inference:chat',
    body: embeddingRequest,
    answer: embeddingAnswer,
  },
  'post /parse/cv': {
    tag: 'Parsing',
    summary: 'A CV, as text or a file, into a candidate profile',
    scope: 'inference:parse',
    body: parseRequest,
    forms: FILE_FORMS,
    answer: CV.schema,
  },
  'post /parse/jd': {
    tag: 'Parsing',
    summary: 'A job posting, as text or a file, into its requirements',
    scope: 'inference:parse',
    body: parseRequest,
    forms: FILE_FORMS,
    answer: JOB.schema,
  },
  ...reading('list_models', '/models', 'Models'),
  ...reading('get_usage', '/usage', 'Usage'),
  ...reading('list_jobs', '/jobs', 'Jobs'),
}

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'a bad body or parameter, which the message names',
  401: 'missing, unknown, revoked or expired key',
  402: "a PREPAID company's balance is at or below zero",
  403: 'the key lacks the scope or the model, or an invoice is overdue',
  409: 'the Idempotency-Key was used for another request, or its first one is still under way',
  413: 'the body is too large',
  415: 'the body is compressed',
  422: 'the provider refuses the request as it is',
  429: 'over a limit; retry-after says when to come back',
  502: 'the model gave no valid profile',
  503: 'no provider answered, or a charge could not be stored; retry-after',
}

/** The gateway's REST routes; its MCP tools describe themselves. */
export function gatewayOpenApi(mount: string): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const [place, operation] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = place.split(' ')
    paths[mount + path] = { ...paths[mount + path], [method]: operationOf(method, mount + path, operation) }
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Tollgate gateway',
      description: 'Model calls on the chat-completion wire, each charged to a credit balance.',
      version: API_VERSION,
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key' } } },
  })
}

function operationOf(method: string, path: string, operation: Operation): ZodOpenApiOperationObject {
  const { tag, summary, scope, query, body, forms = {}, answer, isStreamed } = operation
  const events = { 'text/event-stream': { schema: { type: 'string', description: 'Events, then [DONE]' } as const } }
  const refused = Object.entries(REFUSALS).filter(([status]) => body !== undefined || !BODY_ONLY.has(Number(status)))
  return {
    operationId: operationIdOf(method, path),
    tags: [tag],
    summary,
    description: `Needs the scope \`${scope}\`.`,
    ...(query ? { requestParams: { query } } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body }, ...forms } } } : {}),
    responses: {
      '200': {
        description: summary,
        content: { 'application/json': { schema: answer }, ...(isStreamed ? events : {}) },
      },
      ...Object.fromEntries(
        refused.map(([status, when]) => [
          status,
          {
            description: `${STATUS_CODES[status]}: ${when}`,
            content: { 'application/json': { schema: errorEnvelope } },
          },
        ]),
      ),
    },
  }
}

/** What only calls with a body are refused with. */
const BODY_ONLY = new Set([402, 409, 413, 415, 422, 502])

function operationIdOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

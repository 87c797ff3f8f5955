import {
  type EndpointRules,
  type FoundParts,
  type InferenceRequest,
  ONE_CHOICE,
  type Refused,
  type RequestFields,
  readInferenceRequest,
  wrongMessages,
} from './inferenceRequest.ts'
import { NOTHING_STORED, type PartRules, RequestParts } from './requestParts.ts'

export const MESSAGES_FIELDS = [
  ...['model', 'stream', 'max_tokens', 'messages', 'system', 'tools', 'container', 'mcp_servers'],
]

/** Tools whose form the API defines, but which the caller runs itself, with the date of their version. */
const OWN_TOOLS = /^(?:bash|text_editor|computer|memory)_\d{8}$/
/** The provider connects to servers that the request names. */
const MCP = 'mcp'

const PARTS: PartRules = {
  isOwnTool: (type) => type === 'custom' || OWN_TOOLS.test(type),
  isImage: ({ type }) => type === 'image',
  isFile: ({ type, source }) => type === 'document' && !(isObject(source) && source.type === 'text'),
}

const RULES: EndpointRules = {
  reads: MESSAGES_FIELDS,
  tokenBounds: ['max_tokens'],
  // With 0 the API only fills its cache.
  tokensMin: 0,
  asksForUsage: false,
  looksInside: true,
  choices: () => ONE_CHOICE,
  parts: partsOf,
}

export function readMessagesRequest(body: Buffer): InferenceRequest | Refused {
  return readInferenceRequest(body, wrongFields, RULES)
}

/** The fields that the schema of the route cannot describe: null, or why they are refused. */
export function wrongMessagesFields(fields: RequestFields): string | null {
  return wrongFields(fields) ?? partsOf(fields).refused
}

function wrongFields(fields: RequestFields): string | null {
  const { container, mcp_servers: servers } = fields
  if (container !== undefined && container !== null) return `'container' ${NOTHING_STORED}`
  if (servers !== undefined && servers !== null && !Array.isArray(servers)) return "'mcp_servers' must be an array."
  return wrongMessages(fields)
}

function partsOf({ messages, system, tools, mcp_servers: servers }: RequestFields): FoundParts {
  const found = new RequestParts(PARTS).look('messages', messages).look('system', system).tools('tools', tools).found
  const usesServers = Array.isArray(servers) && servers.length > 0
  return usesServers ? { ...found, hostedTools: [...found.hostedTools, MCP] } : found
}

function isObject(value: unknown): value is RequestFields {
  return typeof value === 'object' && value !== null
}

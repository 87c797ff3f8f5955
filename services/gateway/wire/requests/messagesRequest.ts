import { isAbsent, isJsonObject } from '../../../../platform/http/body/parseJson.ts'
import { type FoundParts, type RequestFields, wrongMessages } from './inferenceRequest.ts'
import { partsRequest } from './partsRequest.ts'
import { lowerCase, NOTHING_STORED, type PartRules, RequestParts } from './requestParts.ts'

export const MESSAGES_FIELDS = [
  ...['model', 'stream', 'max_tokens', 'messages', 'system', 'tools', 'container', 'mcp_servers'],
  'service_tier',
]

/** Tools whose form the API defines, but which the caller runs itself, with the date of their version. */
const OWN_TOOLS = /^(?:bash|text_editor|computer|memory)_\d{8}$/
/** The provider only searches the caller's own list of tools. */
const TOOL_SEARCH = /^tool_search_tool_\w+$/
/** The provider connects to servers that the request names. */
const MCP = 'mcp'

const PARTS: PartRules = {
  isOwnTool: (type) => type === 'custom' || OWN_TOOLS.test(type) || TOOL_SEARCH.test(type),
  isImage: ({ type }) => lowerCase(type) === 'image',
  isFile: ({ type, source }) => lowerCase(type) === 'document' && !(isJsonObject(source) && source.type === 'text'),
}

export const { read: readMessagesRequest, wrong: wrongMessagesFields } = partsRequest({
  reads: MESSAGES_FIELDS,
  tokenBounds: ['max_tokens'],
  // With 0 the API only fills its cache.
  tokensMin: 0,
  wrongFields,
  partsOf,
})

function wrongFields(fields: RequestFields): string | null {
  const { container, mcp_servers: servers } = fields
  if (!isAbsent(container)) return `'container' ${NOTHING_STORED}`
  if (!isAbsent(servers) && !Array.isArray(servers)) return "'mcp_servers' must be an array."
  return wrongMessages(fields)
}

function partsOf(fields: RequestFields): FoundParts {
  const { messages, system, tools, tool_choice: choice, mcp_servers: servers } = fields
  const parts = new RequestParts(PARTS).fields(fields).look('messages', messages).look('system', system)
  const { found } = parts.tools('tools', tools, choice)
  const usesServers = Array.isArray(servers) && servers.length > 0
  return usesServers ? { ...found, hostedTools: [...found.hostedTools, MCP] } : found
}

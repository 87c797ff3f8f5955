/** As much of JSON Schema as the generators of bodies understand; anything else allows every value. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly format?: string
  readonly example?: unknown
}

const rpc: JsonSchema = {
  type: 'object',
  required: ['jsonrpc', 'id', 'method', 'params'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: 'integer' },
    method: { enum: ['tools/call', 'tools/list', 'initialize', 'ping', 'notifications/initialized'] },
    params: {
      type: 'object',
      required: ['name', 'arguments'],
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
    },
  },
}

const operation: JsonSchema = {
  type: 'object',
  required: ['query'],
  properties: {
    query: { type: 'string', example: '{ whoAmI { id } }' },
    variables: { type: 'object' },
    operationName: { type: 'string' },
  },
}

/** What routes read whose bodies no schema of ours describes, because a library checks them. */
export const UNDESCRIBED_BODIES: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  'POST /llm/v1/mcp': { 'application/json': rpc },
  'POST /graphql': { 'application/json': operation },
}

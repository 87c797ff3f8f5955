import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { asGatewayError, envelopeOf, GatewayError, invalidRequest } from '../gatewayError.ts'
import { madeOnce } from '../idempotency/madeOnce.ts'
import { replayed } from '../idempotency/replay.ts'
import type { GatewayParts } from '../parts.ts'
import type { GatewayTool, ToolCaller } from './tool.ts'
import { TOOLS } from './tools.ts'

export const MCP_PATH = '/mcp'
const PRODUCT = { name: 'tollgate', title: 'Tollgate', version: '1.0.0' }

/** Both schemas as clients read them, worked out once. */
const LISTED = new Map(TOOLS.map((tool) => [tool.name, listed(tool)]))

/**
 * The tools of one key, for one request: nothing is kept between requests, so any gateway can answer the next one.
 * Written on the protocol's own requests and not on the SDK's tool registry, which would turn a call without the scope
 * into an unknown tool and wrong arguments into a text without a code.
 */
export function toolServer(parts: GatewayParts, caller: ToolCaller): Server {
  const server = new Server(PRODUCT, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.filter(({ scope }) => caller.key.scopes.has(scope)).flatMap(({ name }) => LISTED.get(name) ?? []),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    try {
      const body = await callTool(parts, caller, params.name, params.arguments ?? {})
      return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body }
    } catch (error) {
      const refusal = asGatewayError(error)
      if (refusal !== error) parts.log.error({ err: error, callId: caller.callId }, 'a tool call failed')
      parts.metrics.refused(refusal.error)
      return { isError: true, content: [{ type: 'text', text: JSON.stringify(envelopeOf(refusal).error) }] }
    }
  })
  return server
}

function callTool(parts: GatewayParts, caller: ToolCaller, name: string, sent: unknown) {
  const tool = TOOLS.find((known) => known.name === name)
  if (!tool) throw invalidRequest(`There is no tool ${JSON.stringify(name.slice(0, 100))}.`)
  if (!caller.key.scopes.has(tool.scope)) {
    throw new GatewayError('scopeDenied', `This key lacks the scope ${tool.scope}.`)
  }
  const input = tool.input.safeParse(sent)
  if (!input.success) throw invalidRequest(problemOf(input.error))
  return tool.readOnly ? tool.run(parts, caller, input.data) : calledOnce(parts, caller, tool, input.data)
}

/** A tool that costs: see madeOnce. The request's own id is no part of what is asked, as a client that repeats it counts on. */
function calledOnce(parts: GatewayParts, caller: ToolCaller, tool: GatewayTool, input: Record<string, unknown>) {
  const asked = Buffer.from(JSON.stringify([tool.name, input]))
  return madeOnce<Record<string, unknown>>(
    parts,
    { ...caller, caller: caller.left, path: MCP_PATH, asked },
    {
      make: (claim) => tool.run(parts, claim ? { ...caller, callId: claim.callId, claim } : caller, input),
      repeat: (kept) => JSON.parse(replayed(parts, caller.headers, kept).toString()),
    },
  )
}

function problemOf({ issues }: z.ZodError): string {
  const [first] = issues
  const field = first && first.path.length > 0 ? `'${first.path.join('.')}': ` : ''
  return `${field}${first?.message ?? 'the arguments are not valid'}.`
}

function listed({ name, title, description, input, output, readOnly }: GatewayTool) {
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(input),
    outputSchema: objectSchema(output),
    // A model call costs credits and asks a provider outside; it changes nothing else, and asking again asks again.
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: !readOnly,
    },
  }
}

function objectSchema(schema: z.ZodObject) {
  return { ...z.toJSONSchema(schema, { io: 'input' }), type: 'object' as const }
}

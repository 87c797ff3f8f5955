import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { VERSION } from '../../../platform/version.ts'
import { requestId } from '../answerHeaders.ts'
import { claimCall, ended } from '../call/billedCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { asGatewayError, envelopeOf, GatewayError, invalidRequest } from '../gatewayError.ts'
import { replayed } from '../idempotency/replay.ts'
import type { RequestContext } from '../requestContext.ts'
import { MCP_PATH } from '../routes/mount.ts'
import { chatTool } from './chatTool.ts'
import { parsingTools } from './parsingTools.ts'
import { readingTools } from './readingTools.ts'
import type { GatewayTool } from './tool.ts'

const PRODUCT = { name: 'tollgate', title: 'Tollgate', version: VERSION }

const TOOLS: readonly GatewayTool[] = [chatTool, ...readingTools, ...parsingTools]

/** The tools as clients list them, with their JSON schemas made once. */
const LISTED = new Map(TOOLS.map((tool) => [tool.name, listed(tool)]))

/** The tools of one key behind a transport that answers one request with JSON. */
export async function openToolServer(deps: GatewayDependencies, context: RequestContext) {
  const server = toolServer(deps, context)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  await server.connect(transport)
  return { server, transport }
}

/**
 * An MCP server for one request, with the tools of its key. Nothing is kept between requests, so any gateway can answer
 * the next one. It handles the protocol's requests itself, because the SDK's tool registry would answer a missing scope
 * as an unknown tool, and wrong arguments without an error code.
 */
function toolServer(deps: GatewayDependencies, context: RequestContext): Server {
  const server = new Server(PRODUCT, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.filter(({ scope }) => context.key.scopes.has(scope)).flatMap(({ name }) => LISTED.get(name) ?? []),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    try {
      const body = await callTool(deps, context, params.name, params.arguments ?? {})
      const cost = costOf(context)
      return {
        content: [{ type: 'text', text: JSON.stringify(body) }],
        structuredContent: body,
        ...(cost && { _meta: cost }),
      }
    } catch (error) {
      const refusal = asGatewayError(error)
      if (refusal !== error) deps.log.error({ err: error, callId: context.callId }, 'tool call failed')
      deps.metrics.refused(refusal)
      context.trace?.refused(refusal.code)
      return { isError: true, content: [{ type: 'text', text: JSON.stringify(envelopeOf(refusal).error) }] }
    }
  })
  return server
}

/** The cost and the ledger id of a charged call, also if its answer is replayed; null for a free tool. */
function costOf({ response }: RequestContext): Record<string, unknown> | null {
  const credits = response.getHeader('x-credits-charged')
  if (credits === undefined) return null
  return { 'tollgate/callId': requestId(response), 'tollgate/credits': Number(credits) }
}

function callTool(deps: GatewayDependencies, context: RequestContext, name: string, sent: unknown) {
  const tool = TOOLS.find((known) => known.name === name)
  if (!tool) throw invalidRequest(`There is no tool ${JSON.stringify(name.slice(0, 100))}.`)
  if (!context.key.scopes.has(tool.scope)) {
    throw new GatewayError('scopeDenied', `This key lacks the scope ${tool.scope}.`)
  }
  const input = tool.input.safeParse(sent)
  if (!input.success) throw invalidRequest(problemOf(input.error))
  return tool.readOnly ? tool.run(deps, context, input.data) : calledOnce(deps, context, tool, input.data)
}

/** The JSON-RPC id is not part of what is asked: a client that repeats a call gives it a new one. */
async function calledOnce(
  deps: GatewayDependencies,
  context: RequestContext,
  tool: GatewayTool,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body = Buffer.from(JSON.stringify([tool.name, input]))
  const claimed = await claimCall(deps, context, MCP_PATH, body)
  if (claimed === null) return ended(deps, tool.run(deps, context, input), context.callId)
  if (claimed.kept) return JSON.parse(replayed(deps, context.response, claimed.kept).toString())
  const { claim } = claimed
  return ended(deps, tool.run(deps, { ...context, callId: claim.callId, claim }, input), claim.callId, claim)
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
    // A model call costs credits and reaches an outside provider, but changes nothing else. Repeating it costs again.
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

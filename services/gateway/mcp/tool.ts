import type { z } from 'zod'
import type { Scope } from '../../../contracts/scopes.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { AuthenticatedContext } from '../requestContext.ts'

/** Who calls a tool: what a request is to a route. */
export type ToolCaller = Pick<AuthenticatedContext, 'request' | 'key' | 'callId' | 'headers' | 'claim'> & {
  /** Aborts when the client hangs up. */
  readonly left: AbortSignal
}

/** One function of the gateway as a tool: the same work as its route, the same answer as structured content. */
export type GatewayTool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scope: Scope
  readonly input: Input
  readonly output: z.ZodObject
  /** It changes nothing, not even the balance. */
  readonly readOnly: boolean
  run(deps: GatewayDependencies, caller: ToolCaller, input: z.infer<Input>): Promise<Record<string, unknown>>
}

/** Keeps the type of the input between its schema and its use. */
export function tool<Input extends z.ZodObject>(definition: GatewayTool<Input>): GatewayTool {
  return definition as unknown as GatewayTool
}

import type { z } from 'zod'
import type { Scope } from '../../../contracts/scopes.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { RequestContext } from '../requestContext.ts'

/** A route of the gateway as a tool, with the same answer as structured content. */
export type GatewayTool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scope: Scope
  readonly input: Input
  readonly output: z.ZodObject
  /** The tool changes nothing, not even the balance. */
  readonly readOnly: boolean
  run(deps: GatewayDependencies, context: RequestContext, input: z.infer<Input>): Promise<Record<string, unknown>>
}

/** Infers the type of the input from its schema. */
export function tool<Input extends z.ZodObject>(definition: GatewayTool<Input>): GatewayTool {
  return definition as unknown as GatewayTool
}

import type { Scope } from '../../contracts/scopes.ts'
import type { GatewayDependencies } from './dependencies.ts'
import type { AuthenticatedContext } from './requestContext.ts'

/** One endpoint of the gateway: where it is, what its key needs, and what it does. */
export type GatewayRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below /llm/v1. */
  readonly path: string
  /** null: any key; what it may do here is decided further on. */
  readonly scope: Scope | null
  handle(deps: GatewayDependencies, context: AuthenticatedContext): Promise<void>
}

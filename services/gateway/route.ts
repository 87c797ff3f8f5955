import type { Scope } from '../../contracts/scopes.ts'
import type { KeyedExchange } from './exchange.ts'
import type { GatewayParts } from './parts.ts'

/** One endpoint of the gateway: where it is, what its key needs, and what it does. */
export type GatewayRoute = {
  readonly method: 'GET' | 'POST'
  /** Below /llm/v1. */
  readonly path: string
  readonly scope: Scope
  handle(parts: GatewayParts, exchange: KeyedExchange): Promise<void>
}

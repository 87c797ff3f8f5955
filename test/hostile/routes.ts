import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { operationsRoutes } from '../../capabilities/runService.ts'
import type { Access, Route } from '../../platform/http/route.ts'
import { aiRoutes } from '../../services/ai/createAi.ts'
import { backendRoutes } from '../../services/backend/backend.ts'
import { gatewayRoutes } from '../../services/gateway/createGateway.ts'
import { createPaymentProvider } from '../../services/sandbox/paymentProvider/createPaymentProvider.ts'
import { sandboxRoutes } from '../../services/sandbox/sandbox.ts'
import { BLANK } from './blank.ts'
import { type JsonSchema, UNDESCRIBED_BODIES } from './undescribedBodies.ts'

/** operations: what projector, reactor and relay serve when they run alone. */
export const SERVICES = ['gateway', 'backend', 'ai', 'sandbox', 'operations'] as const
export type ServiceName = (typeof SERVICES)[number]

/** A route as an attacker sees it. */
export type AttackedRoute = {
  /** For titles and reports: `gateway POST /llm/v1/embeddings`. */
  readonly name: string
  readonly service: ServiceName
  readonly method: Exclude<Route['method'], 'ALL'>
  /** With a value for every segment that varies. */
  readonly path: string
  readonly access: Access
  /** The JSON Schema of a body, by media type. Empty if the route reads none. */
  readonly bodies: Readonly<Record<string, JsonSchema>>
  readonly query: JsonSchema | null
}

/** Every route of every service, from the lists that the services are assembled from. */
export function everyRoute(): readonly AttackedRoute[] {
  const gateway = gatewayRoutes(BLANK)
  const payments = createPaymentProvider({
    // No such file exists, and nothing is recorded.
    journalFile: join(tmpdir(), 'tollgate-no-journal', 'payments.jsonl'),
    ...{ paymentEventsUrl: '', webhookSecret: '', url: () => '', clock: BLANK, ids: BLANK, log: BLANK },
  })
  const lists: Readonly<Record<ServiceName, readonly Route<never>[]>> = {
    gateway: [...gateway.inference, ...gateway.others, ...gateway.operations] as readonly Route<never>[],
    backend: backendRoutes(BLANK, BLANK, BLANK) as readonly Route<never>[],
    ai: aiRoutes(BLANK) as readonly Route<never>[],
    sandbox: sandboxRoutes(BLANK, BLANK, payments, BLANK) as readonly Route<never>[],
    operations: operationsRoutes(BLANK) as readonly Route<never>[],
  }
  return SERVICES.flatMap((service) => lists[service].map((route) => attacked(service, route)))
}

function attacked(service: ServiceName, route: Route<never>): AttackedRoute {
  const method = route.method === 'ALL' ? 'POST' : route.method
  const described = Object.entries(route.body?.contents ?? {}).map(([type, { schema }]) => [type, jsonSchema(schema)])
  return {
    name: `${service} ${route.method} ${route.path}`,
    service,
    method,
    path: route.path.replace(/[:*](\w+)/g, (_, name) => `some-${name}`),
    access: route.access,
    bodies: {
      ...Object.fromEntries(described),
      ...UNDESCRIBED_BODIES[`${method} ${route.path}`],
    },
    query: route.query ? jsonSchema(route.query) : null,
  }
}

function jsonSchema(schema: unknown): JsonSchema {
  if (!(schema instanceof z.ZodType)) return schema as JsonSchema
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

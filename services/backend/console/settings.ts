import { z } from 'zod'
import type { Config } from '../../platform/config/config.ts'
import { anyQuery, route } from '../../platform/http/route.ts'

/** What the console needs to know of the installation, before anybody signs in. */
export function consoleSettings({ sandbox, HOST, GATEWAY_PORT }: Pick<Config, 'sandbox' | 'HOST' | 'GATEWAY_PORT'>) {
  // Elsewhere the gateway is behind a name that only the operator knows.
  const gatewayUrl = sandbox ? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${GATEWAY_PORT}` : null
  return route({
    method: 'GET',
    path: '/console/settings',
    access: 'public',
    summary: 'What the console needs to know of the installation',
    query: anyQuery,
    answer: z.object({
      gatewayUrl: z
        .string()
        .nullable()
        .meta({ description: 'Where callers reach the gateway; null if this installation does not know' }),
    }),
    handle: () => ({ gatewayUrl }),
  })
}

import { z } from 'zod'
import type { Config } from '../../../platform/config/config.ts'
import { sandboxHost } from '../../../platform/config/sandboxParties.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'

type Settings = Pick<Config, 'sandbox' | 'HOST' | 'GATEWAY_PORT' | 'GATEWAY_PUBLIC_URL'>

/** The settings that the console needs before sign-in. */
export function consoleSettings(config: Settings) {
  const gatewayUrl = callersAddress(config)
  return route({
    method: 'GET',
    path: '/console/settings',
    access: 'public',
    summary: 'What the console needs to know of the installation',
    query: anyQuery,
    answer: z.object({
      gatewayUrl: z.string().nullable().meta({
        description: 'Where callers reach the gateway, without /llm/v1; null if GATEWAY_PUBLIC_URL is not set',
      }),
    }),
    handle: () => ({ gatewayUrl }),
  })
}

/** The gateway's public URL. Outside a sandbox installation only the operator knows it. */
export function callersAddress(config: Settings): string | null {
  const { sandbox, GATEWAY_PORT, GATEWAY_PUBLIC_URL } = config
  // Operators may also give the address that clients are configured with, which has the path of the API.
  if (GATEWAY_PUBLIC_URL) return GATEWAY_PUBLIC_URL.replace(/\/+$/, '').replace(/\/llm\/v1$/, '')
  if (!sandbox) return null
  const host = sandboxHost(config)
  return `http://${host.includes(':') ? `[${host}]` : host}:${GATEWAY_PORT}`
}

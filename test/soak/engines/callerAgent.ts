import http from 'node:http'

/**
 * Well below the 75 s after which gateways announce to close an idle connection. An agent heeds that announcement only if it has a
 * time-out of its own; without one it may send a call over a connection that the gateway is closing, as any server may.
 */
const IDLE_MS_MAX = 30_000

/** Connections to one gateway, kept between calls as callers keep them. */
export function callerAgent(): http.Agent {
  return new http.Agent({ keepAlive: true, timeout: IDLE_MS_MAX })
}

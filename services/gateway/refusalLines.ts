import type { IncomingMessage } from 'node:http'
import { loggedPath } from '../../platform/http/loggedPath.ts'
import { hashRawKey } from '../../platform/secrets/rawKeys.ts'
import { traceOf } from './call/callTrace.ts'
import type { GatewayDependencies } from './dependencies.ts'
import type { GatewayError } from './gatewayError.ts'
import { keyIn } from './keyGuard.ts'

/** Refusals logged per second; the next line says how many were left out. */
const REFUSAL_LINES_MAX = 10
const PERIOD_MS = 1_000

type LoggedWith = Pick<GatewayDependencies, 'log' | 'clock' | 'views'>

/** Logs why requests were refused and whose they were, up to a number per second, so that a flood stays cheap. */
export function refusalLines({ log, clock, views }: LoggedWith) {
  let periodBeganAtMs = Number.NEGATIVE_INFINITY
  let lines = 0
  let omitted = 0
  return ({ status, code }: GatewayError, requestId: string, request: IncomingMessage): void => {
    const nowMs = clock.monotonicMs()
    if (nowMs - periodBeganAtMs >= PERIOD_MS) {
      periodBeganAtMs = nowMs
      lines = 0
    }
    if (++lines > REFUSAL_LINES_MAX) {
      omitted++
      return
    }
    const raw = keyIn(request, 'x-api-key')
    const key = raw === null ? null : views.keys.find(hashRawKey(raw), clock.now())
    log.info(
      {
        callId: requestId,
        companyId: key?.companyId,
        keyId: key?.keyId,
        method: request.method,
        path: loggedPath(request),
        status,
        code,
        omitted: omitted > 0 ? omitted : undefined,
        traceId: traceOf(request)?.traceId,
      },
      'request refused',
    )
    omitted = 0
  }
}

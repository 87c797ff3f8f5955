import { parseCall } from '../parsing/parseCall.ts'
import { JOB } from '../parsing/parseTarget.ts'
import type { GatewayRoute } from '../route.ts'

export const parseJd: GatewayRoute = {
  method: 'POST',
  path: JOB.endpoint,
  scope: 'inference:parse',
  handle: (parts, exchange) => parseCall(parts, exchange, JOB),
}

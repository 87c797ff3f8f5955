import { JOB } from '../../platform/extraction/parseTarget.ts'
import { parseCall } from '../parsing/parseCall.ts'
import type { GatewayRoute } from '../route.ts'

export const parseJd: GatewayRoute = {
  method: 'POST',
  path: JOB.endpoint,
  scope: 'inference:parse',
  handle: parseCall(JOB),
}

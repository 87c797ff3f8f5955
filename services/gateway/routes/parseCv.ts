import { CV } from '../../platform/extraction/parseTarget.ts'
import { parseCall } from '../parsing/parseCall.ts'
import type { GatewayRoute } from '../route.ts'

export const parseCv: GatewayRoute = {
  method: 'POST',
  path: CV.endpoint,
  scope: 'inference:parse',
  handle: parseCall(CV),
}

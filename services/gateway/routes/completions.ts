import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayRoute } from '../route.ts'
import { readCompletionRequest } from '../wire/completionRequest.ts'

export const completions: GatewayRoute = {
  method: 'POST',
  path: '/completions',
  scope: 'inference:chat',
  handle: inferenceCall('/completions', readCompletionRequest),
}

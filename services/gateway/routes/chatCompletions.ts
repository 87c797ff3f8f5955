import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayRoute } from '../route.ts'
import { readChatRequest } from '../wire/chatRequest.ts'

export const chatCompletions: GatewayRoute = {
  method: 'POST',
  path: '/chat/completions',
  scope: 'inference:chat',
  handle: inferenceCall('/chat/completions', readChatRequest),
}

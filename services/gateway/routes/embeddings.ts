import { inferenceCall } from '../call/inferenceCall.ts'
import type { GatewayRoute } from '../route.ts'
import { readEmbeddingRequest } from '../wire/embeddingRequest.ts'

export const embeddings: GatewayRoute = {
  method: 'POST',
  path: '/embeddings',
  scope: 'inference:chat',
  handle: inferenceCall('/embeddings', readEmbeddingRequest),
}

import { inferenceRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import { completion } from '../../../test/support/parties/scriptedProvider.ts'

inferenceRouteCases(useGateway(), {
  path: '/chat/completions',
  body: { model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] },
  answer: completion(),
  refused: [
    [{ messages: [] }, "'messages'"],
    [{ n: 129 }, "'n' must be at most 128"],
    [{ max_tokens: 0 }, "'max_tokens'"],
  ],
})

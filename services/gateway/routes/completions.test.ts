import { inferenceRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import { completion } from '../../../test/support/parties/scriptedProvider.ts'

inferenceRouteCases(useGateway(), {
  path: '/completions',
  body: { model: 'svc/chat-default', prompt: 'Once upon a time', max_tokens: 0 },
  answer: completion(),
  refused: [
    [{ prompt: [] }, "'prompt'"],
    [{ best_of: 129 }, "'best_of' must be at most 128"],
    [{ max_tokens: -1 }, "'max_tokens'"],
  ],
})

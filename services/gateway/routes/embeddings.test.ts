import { inferenceRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'

const usage = { prompt_tokens: 3, total_tokens: 3 }

inferenceRouteCases(useGateway(), {
  path: '/embeddings',
  body: { model: 'svc/embed-default', input: 'A sentence', encoding_format: null },
  answer: { object: 'list', model: 'm', data: [{ index: 0, embedding: [0.1] }], usage },
  refused: [
    [{ input: [] }, "'input'"],
    [{ stream: true }, "'stream'"],
  ],
})

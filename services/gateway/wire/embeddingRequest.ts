import { type InferenceRequest, type Refused, type RequestFields, readInferenceRequest } from './inferenceRequest.ts'
import { wrongTextInput } from './textInput.ts'

export function readEmbeddingRequest(body: Buffer): InferenceRequest | Refused {
  const request = readInferenceRequest(body, wrongFields)
  // Vectors are no tokens: the usage of an embedding counts only what was read.
  return 'refused' in request ? request : { ...request, maxTokens: 0 }
}

function wrongFields({ input, stream }: RequestFields): string | null {
  if (input === undefined) return "'input' is missing."
  // The wire format knows no `stream` here, and one that was let through would be given stream_options beside it.
  if (stream === true) return "'stream' must not be true: embeddings are not streamed."
  return wrongTextInput('input', input)
}

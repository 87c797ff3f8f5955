import { type InferenceRequest, type Refused, type RequestFields, readInferenceRequest } from './inferenceRequest.ts'
import { wrongTextInput } from './textInput.ts'

export function readEmbeddingRequest(body: Buffer): InferenceRequest | Refused {
  const request = readInferenceRequest(body, wrongFields)
  // Embeddings have no output tokens: their usage counts only the input.
  return 'refused' in request ? request : { ...request, maxTokens: 0 }
}

function wrongFields({ input, stream }: RequestFields): string | null {
  if (input === undefined) return "'input' is missing."
  // The wire format has no `stream` here; if it were accepted, stream_options would be added to the forwarded body.
  if (stream === true) return "'stream' must not be true: embeddings are not streamed."
  return wrongTextInput('input', input)
}

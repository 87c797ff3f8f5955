import type { WireName } from '../../../capabilities/providers/wires.ts'
import { readAnswer, readMessagesAnswer, readResponsesAnswer } from './answers/providerAnswer.ts'
import { readChatRequest } from './requests/chatRequest.ts'
import { readCompletionRequest } from './requests/completionRequest.ts'
import { readEmbeddingRequest } from './requests/embeddingRequest.ts'
import { readMessagesRequest } from './requests/messagesRequest.ts'
import { readResponsesRequest } from './requests/responsesRequest.ts'
import { MESSAGES_STREAM } from './streams/messagesStream.ts'
import { RESPONSES_STREAM } from './streams/responsesStream.ts'
import { readStreamChunk } from './streams/streamChunk.ts'
import { createStreamGate } from './streams/streamEnd.ts'
import type { StreamFormat } from './streams/streamFormat.ts'
import type { WireFormat } from './wireFormat.ts'

const stream: StreamFormat = { readEvent: readStreamChunk, begin: ({ n }) => createStreamGate({ choices: n }) }

export const CHAT_WIRE: WireFormat = {
  name: 'chat',
  endpoint: '/chat/completions',
  readRequest: readChatRequest,
  readAnswer,
  stream,
}

export const COMPLETIONS_WIRE: WireFormat = {
  name: 'completions',
  endpoint: '/completions',
  readRequest: readCompletionRequest,
  readAnswer,
  stream,
}

export const EMBEDDINGS_WIRE: WireFormat = {
  name: 'embeddings',
  endpoint: '/embeddings',
  readRequest: readEmbeddingRequest,
  readAnswer,
  // Requests with `stream` are refused.
  stream,
}

export const RESPONSES_WIRE: WireFormat = {
  name: 'responses',
  endpoint: '/responses',
  readRequest: readResponsesRequest,
  readAnswer: readResponsesAnswer,
  stream: RESPONSES_STREAM,
}

export const MESSAGES_WIRE: WireFormat = {
  name: 'messages',
  endpoint: '/messages',
  readRequest: readMessagesRequest,
  readAnswer: readMessagesAnswer,
  stream: MESSAGES_STREAM,
  keyHeader: 'x-api-key',
  passedOn: ['anthropic-version', 'anthropic-beta'],
}

const WIRE_FORMATS: readonly WireFormat[] = [
  CHAT_WIRE,
  COMPLETIONS_WIRE,
  EMBEDDINGS_WIRE,
  RESPONSES_WIRE,
  MESSAGES_WIRE,
]

export function wireFormat(name: WireName): WireFormat {
  const found = WIRE_FORMATS.find((wire) => wire.name === name)
  if (!found) throw new Error(`There is no format of the API ${name}`)
  return found
}

import { answerTasks } from '../../platform/threads/answerTasks.ts'
import { readChatRequest } from '../wire/chatRequest.ts'
import { readCompletionRequest } from '../wire/completionRequest.ts'
import { readEmbeddingRequest } from '../wire/embeddingRequest.ts'
import type { Refused, RequestFacts } from '../wire/inferenceRequest.ts'
import { asBuffer, type LargeJsonResult, type LargeJsonTask } from './largeJson.ts'

const READERS = {
  '/chat/completions': readChatRequest,
  '/completions': readCompletionRequest,
  '/embeddings': readEmbeddingRequest,
} as const

answerTasks<LargeJsonTask, LargeJsonResult>(({ endpoint, bytes }) => ({
  result: { read: readRequest(endpoint as keyof typeof READERS, asBuffer(bytes)), bytes },
  transfer: [bytes.buffer],
}))

function readRequest(endpoint: keyof typeof READERS, body: Buffer): RequestFacts | Refused {
  const request = READERS[endpoint](body)
  if ('refused' in request) return request
  // A function cannot be sent to another thread.
  const { forwardedAs: _, ...facts } = request
  return facts
}

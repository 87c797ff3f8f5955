import {
  CHAT_RULES,
  type EndpointRules,
  type InferenceRequest,
  type Refused,
  type RequestFields,
  readInferenceRequest,
} from './inferenceRequest.ts'

const RULES: EndpointRules = {
  ...CHAT_RULES,
  images: ({ messages }) => countImages(messages as readonly RequestFields[]),
}

export function readChatRequest(body: Buffer): InferenceRequest | Refused {
  return readInferenceRequest(body, wrongMessages, RULES)
}

function countImages(messages: readonly RequestFields[]): number {
  let images = 0
  for (const { content } of messages) {
    if (typeof content === 'string' || !Array.isArray(content)) continue
    for (const part of content as readonly unknown[]) {
      if (typeof part === 'object' && part !== null && 'image_url' in part) images++
    }
  }
  return images
}

function wrongMessages({ messages }: RequestFields): string | null {
  if (messages === undefined) return "'messages' is missing."
  if (!Array.isArray(messages)) return "'messages' must be an array."
  if (messages.length === 0) return "'messages' must not be empty."
  for (let position = 0; position < messages.length; position++) {
    const message: unknown = messages[position]
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      return `'messages[${position}]' must be an object.`
    }
    const { role, content } = message as RequestFields
    if (typeof role !== 'string') return `'messages[${position}].role' must be a string.`
    // A message that only calls tools has no content.
    if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content)) {
      return `'messages[${position}].content' must be a string, an array or null.`
    }
  }
  return null
}

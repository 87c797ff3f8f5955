import {
  CHAT_RULES,
  type EndpointRules,
  type InferenceRequest,
  type Refused,
  type RequestFields,
  readInferenceRequest,
  wrongMessages,
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

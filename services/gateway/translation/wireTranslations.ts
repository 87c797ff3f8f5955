import { readChatAnswer } from './chat/readChatAnswer.ts'
import { readChatRequest } from './chat/readChatRequest.ts'
import { createChatStreamReader } from './chat/readChatStream.ts'
import { writeChatAnswer } from './chat/writeChatAnswer.ts'
import { writeChatRequest } from './chat/writeChatRequest.ts'
import { createChatStreamWriter } from './chat/writeChatStream.ts'
import type { TranslatedWire } from './conversation/reasoningState.ts'
import { readMessagesAnswer } from './messages/readMessagesAnswer.ts'
import { readMessagesRequest } from './messages/readMessagesRequest.ts'
import { createMessagesStreamReader } from './messages/readMessagesStream.ts'
import { writeMessagesAnswer } from './messages/writeMessagesAnswer.ts'
import { writeMessagesRequest } from './messages/writeMessagesRequest.ts'
import { createMessagesStreamWriter } from './messages/writeMessagesStream.ts'
import { readResponsesAnswer } from './responses/readResponsesAnswer.ts'
import { readResponsesRequest } from './responses/readResponsesRequest.ts'
import { createResponsesStreamReader } from './responses/readResponsesStream.ts'
import { writeResponsesAnswer } from './responses/writeResponsesAnswer.ts'
import { writeResponsesRequest } from './responses/writeResponsesRequest.ts'
import { createResponsesStreamWriter } from './responses/writeResponsesStream.ts'
import type { WireTranslation } from './wireTranslation.ts'

export const WIRE_TRANSLATIONS: Readonly<Record<TranslatedWire, WireTranslation>> = {
  chat: {
    readRequest: readChatRequest,
    writeRequest: writeChatRequest,
    readAnswer: readChatAnswer,
    writeAnswer: writeChatAnswer,
    createStreamReader: createChatStreamReader,
    createStreamWriter: createChatStreamWriter,
  },
  messages: {
    readRequest: readMessagesRequest,
    writeRequest: writeMessagesRequest,
    readAnswer: readMessagesAnswer,
    writeAnswer: writeMessagesAnswer,
    createStreamReader: createMessagesStreamReader,
    createStreamWriter: createMessagesStreamWriter,
  },
  responses: {
    readRequest: readResponsesRequest,
    writeRequest: writeResponsesRequest,
    readAnswer: readResponsesAnswer,
    writeAnswer: writeResponsesAnswer,
    createStreamReader: createResponsesStreamReader,
    createStreamWriter: createResponsesStreamWriter,
  },
}

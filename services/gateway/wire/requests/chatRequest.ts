import type { UnitCounts } from '../../../../domain/pricing/usage.ts'
import { isAbsent } from '../../../../platform/http/body/parseJson.ts'
import {
  CHAT_RULES,
  type EndpointRules,
  type FoundParts,
  type InferenceRequest,
  type Refused,
  type RequestFields,
  readInferenceRequest,
  wrongMessages,
} from './inferenceRequest.ts'
import { isStoredField, lowerCase, type PartRules, RequestParts } from './requestParts.ts'

/** The types of parts that are documents, recordings and videos, each of which stands in a member of the same name. */
const FILES: ReadonlySet<unknown> = new Set([
  ...['file', 'input_audio', 'video_url', 'audio_url', 'document_url', 'input_video', 'video'],
])
/** The fields that are inspected. */
const LOOKED = new Set(['messages', 'tools', 'audio', 'extra_body'])

const PARTS: PartRules = {
  // Which tools a provider runs over chat is left to `refuse`.
  isOwnTool: () => true,
  isImage: (part) => 'image_url' in part,
  isFile: (part) => FILES.has(lowerCase(part.type)) || hasFile(part),
}

const RULES: EndpointRules = {
  ...CHAT_RULES,
  looksInside: (name) => LOOKED.has(name) || isStoredField(name),
  parts: partsOf,
  searches: searchesOf,
}

export function readChatRequest(body: Buffer): InferenceRequest | Refused {
  return readInferenceRequest(body, wrongMessages, RULES)
}

/** The fields that the schema of the route cannot describe: null, or why they are refused. */
export function wrongChatFields(fields: RequestFields): string | null {
  return wrongMessages(fields) ?? partsOf(fields).refused
}

function partsOf(fields: RequestFields): FoundParts {
  const { messages, tools, audio, extra_body: extraBody } = fields
  const parts = new RequestParts(PARTS).fields(fields).look('messages', messages).look('tools', tools)
  return parts.look('audio', audio).look('extra_body', extraBody).found
}

/** Sources that one live search may read, as xAI documents it. */
const SOURCES_MAX = 50

/** OpenAI charges a search model once for each request; xAI charges each source that a live search has read. */
function searchesOf({ web_search_options: options, search_parameters: parameters }: RequestFields) {
  if (isAbsent(options) && isAbsent(parameters)) return undefined
  const certain: UnitCounts = isAbsent(options) ? {} : { 'tool:web_search': 1 }
  return { certain, most: isAbsent(parameters) ? certain : { ...certain, search: SOURCES_MAX } }
}

function hasFile(part: RequestFields): boolean {
  for (const name in part) if (FILES.has(name)) return true
  return false
}

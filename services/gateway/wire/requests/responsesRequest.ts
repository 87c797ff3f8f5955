import { isAbsent, isJsonObject } from '../../../../platform/http/body/parseJson.ts'
import type { FoundParts, RequestFields } from './inferenceRequest.ts'
import { partsRequest } from './partsRequest.ts'
import { lowerCase, NOTHING_STORED, type PartRules, RequestParts } from './requestParts.ts'

/** They make the provider keep the answer, or use what it has kept; other companies share its account. */
const STORED = ['previous_response_id', 'conversation', 'prompt']

export const RESPONSES_FIELDS = [
  ...['model', 'stream', 'max_output_tokens', 'background', 'input', 'instructions', 'tools', 'tool_choice'],
  ...['max_tool_calls', 'service_tier'],
  ...STORED,
]

/** Tools that the caller runs itself. */
const OWN_TOOLS = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch', 'computer'])

/** Members of an item that carry no content. */
const NO_CONTENT = new Set(['id', 'type', 'role', 'status', 'phase'])
const ONLY_A_REFERENCE =
  "refers to an item: nothing that is stored at a provider can be used here. Send the item itself, reasoning with its 'encrypted_content'; clients do so with 'store: false'."

const FILES: ReadonlySet<unknown> = new Set(['input_file', 'input_audio', 'input_video'])
const IMAGES: ReadonlySet<unknown> = new Set(['input_image', 'computer_screenshot'])

const PARTS: PartRules = {
  isOwnTool: (type) => OWN_TOOLS.has(type) || type === 'computer_use_preview',
  isImage: ({ type }) => IMAGES.has(lowerCase(type)),
  isFile: ({ type }) => FILES.has(lowerCase(type)),
}

export const { read: readResponsesRequest, wrong: wrongResponsesFields } = partsRequest({
  reads: RESPONSES_FIELDS,
  tokenBounds: ['max_output_tokens'],
  tokensMin: 1,
  wrongFields,
  partsOf,
})

function wrongFields(fields: RequestFields): string | null {
  const { background, input } = fields
  if (!isAbsent(background) && background !== false) {
    return "'background' is not accepted: an answer must end with its request. Leave it out."
  }
  for (const name of STORED) {
    if (!isAbsent(fields[name])) return `'${name}' ${NOTHING_STORED}`
  }
  if (!isAbsent(input) && typeof input !== 'string' && !Array.isArray(input)) {
    return "'input' must be a string or an array."
  }
  return wrongItems(input)
}

function wrongItems(input: unknown): string | null {
  if (!Array.isArray(input)) return null
  for (let position = 0; position < input.length; position++) {
    const item: unknown = input[position]
    if (!isJsonObject(item)) return `'input[${position}]' must be an object.`
    if (isReference(item)) return `'input[${position}]' ${ONLY_A_REFERENCE}`
    if (isAbsent(item.type) && typeof item.role !== 'string') {
      return `'input[${position}]' must have a 'type' or a 'role'.`
    }
  }
  return null
}

/** An item with an id and no content is looked up by that id, whatever its type, like reasoning. */
function isReference(item: RequestFields): boolean {
  const type = typeof item.type === 'string' ? item.type.toLowerCase().replace(/[^a-z]/g, '') : ''
  if (type === 'itemreference') return true
  let hasId = false
  let hasContent = type !== 'reasoning' && !isAbsent(item.content)
  for (const name of Object.keys(item)) {
    const value = item[name]
    const lower = name.toLowerCase()
    if (lower === 'id') hasId ||= !isAbsent(value)
    else if (type === 'reasoning')
      hasContent ||= (lower === 'encrypted_content' || lower === 'content') && isFilled(value)
    else hasContent ||= !NO_CONTENT.has(lower) && isFilled(value)
  }
  return hasId && !hasContent
}

function isFilled(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined && value !== ''
  return value !== null && Object.keys(value).length > 0
}

function partsOf(fields: RequestFields): FoundParts {
  const { input, instructions, tools, tool_choice: choice } = fields
  const parts = new RequestParts(PARTS).fields(fields).look('input', input).look('instructions', instructions)
  return parts.tools('tools', tools, choice).look('tool_choice', choice).found
}

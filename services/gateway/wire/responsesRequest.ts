import type { FoundParts, RequestFields } from './inferenceRequest.ts'
import { isAbsent, isJsonObject } from './jsonObject.ts'
import { partsRequest } from './partsRequest.ts'
import { NOTHING_STORED, type PartRules, RequestParts } from './requestParts.ts'

/** They make the provider keep the answer, or use what it has kept; other companies share its account. */
const STORED = ['previous_response_id', 'conversation', 'prompt']

export const RESPONSES_FIELDS = [
  ...['model', 'stream', 'max_output_tokens', 'background', 'input', 'instructions', 'tools', 'tool_choice'],
  ...STORED,
]

/** Tools that the caller runs itself. */
const OWN_TOOLS = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch', 'computer'])

const PARTS: PartRules = {
  isOwnTool: (type) => OWN_TOOLS.has(type) || type === 'computer_use_preview',
  isImage: ({ type }) => type === 'input_image' || type === 'computer_screenshot',
  isFile: ({ type }) => type === 'input_file',
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

/** An item with neither type nor role is a reference, too. */
function wrongItems(input: unknown): string | null {
  if (!Array.isArray(input)) return null
  for (let position = 0; position < input.length; position++) {
    const item: unknown = input[position]
    if (!isJsonObject(item)) return `'input[${position}]' must be an object.`
    const { type, role } = item
    if (type === 'item_reference') return `'input[${position}]' ${NOTHING_STORED}`
    if (isAbsent(type) && typeof role !== 'string') {
      return `'input[${position}]' must have a 'type' or a 'role'; a reference to an item is not accepted.`
    }
  }
  return null
}

function partsOf({ input, instructions, tools, tool_choice: choice }: RequestFields): FoundParts {
  const parts = new RequestParts(PARTS).look('input', input).look('instructions', instructions)
  return parts.tools('tools', tools).look('tool_choice', choice).found
}

import {
  type EndpointRules,
  type FoundParts,
  type InferenceRequest,
  ONE_CHOICE,
  type Refused,
  type RequestFields,
  readInferenceRequest,
} from './inferenceRequest.ts'
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

const RULES: EndpointRules = {
  reads: RESPONSES_FIELDS,
  tokenBounds: ['max_output_tokens'],
  tokensMin: 1,
  asksForUsage: false,
  looksInside: true,
  choices: () => ONE_CHOICE,
  parts: partsOf,
}

export function readResponsesRequest(body: Buffer): InferenceRequest | Refused {
  return readInferenceRequest(body, wrongFields, RULES)
}

/** The fields that the schema of the route cannot describe: null, or why they are refused. */
export function wrongResponsesFields(fields: RequestFields): string | null {
  return wrongFields(fields) ?? partsOf(fields).refused
}

function wrongFields(fields: RequestFields): string | null {
  const { background, input } = fields
  if (background !== undefined && background !== null && background !== false) {
    return "'background' is not accepted: an answer must end with its request. Leave it out."
  }
  for (const name of STORED) {
    if (fields[name] !== undefined && fields[name] !== null) return `'${name}' ${NOTHING_STORED}`
  }
  if (input !== undefined && input !== null && typeof input !== 'string' && !Array.isArray(input)) {
    return "'input' must be a string or an array."
  }
  return wrongItems(input)
}

/** An item with neither type nor role is a reference, too. */
function wrongItems(input: unknown): string | null {
  if (!Array.isArray(input)) return null
  for (let position = 0; position < input.length; position++) {
    const item: unknown = input[position]
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      return `'input[${position}]' must be an object.`
    }
    const { type, role } = item as RequestFields
    if (type === 'item_reference') return `'input[${position}]' ${NOTHING_STORED}`
    if ((type === undefined || type === null) && typeof role !== 'string') {
      return `'input[${position}]' must have a 'type' or a 'role'; a reference to an item is not accepted.`
    }
  }
  return null
}

function partsOf({ input, instructions, tools, tool_choice: choice }: RequestFields): FoundParts {
  const parts = new RequestParts(PARTS).look('input', input).look('instructions', instructions)
  return parts.tools('tools', tools).look('tool_choice', choice).found
}

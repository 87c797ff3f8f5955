import type { DocumentPart, ImagePart, Part, RefusalPart, Role, TextPart, Turn } from '../conversation/conversation.ts'
import { type ReasoningState, SUMMARY_BREAK, stateIn } from '../conversation/reasoningState.ts'
import { TurnList } from '../conversation/turnList.ts'
import type { FieldReader } from '../fields/fieldReader.ts'
import { documentIn, mediaIn } from '../fields/mediaSources.ts'
import { notTranslated, valueNotTranslated, wrongField } from '../fields/requestRefused.ts'

const ROLES = ['system', 'developer', 'user', 'assistant'] as const
const TEXTS = ['input_text'] as const
const INPUTS = ['input_text', 'input_image', 'input_file'] as const
const OUTPUTS = ['output_text', 'refusal', 'input_text'] as const
const PARTS_OF = { system: TEXTS, developer: TEXTS, user: INPUTS, assistant: OUTPUTS } as const
type PartType = (typeof INPUTS)[number] | (typeof OUTPUTS)[number]
type ContentPart = TextPart | RefusalPart | ImagePart | DocumentPart

/** `instructions` and `input` of a request as turns. */
export function readItems(fields: FieldReader): readonly Turn[] {
  const turns = new TurnList()
  const instructions = fields.textIfAny('instructions')
  if (instructions) turns.add('system', [{ type: 'text', text: instructions, at: 'instructions' }], 'instructions')
  const input = fields.any('input')
  if (typeof input === 'string') turns.add('user', [{ type: 'text', text: input, at: 'input' }], 'input')
  else if (!Array.isArray(input) || input.length === 0)
    throw wrongField('input', 'must be a string or an array of items.')
  else for (const item of fields.readersIn('input')) readItem(item, turns)
  return turns.turns
}

function readItem(item: FieldReader, turns: TurnList): void {
  const { at } = item
  // What an item is called, and that it is complete, says nothing to a model that gets the whole item.
  item.skip('id', 'status')
  const type = item.textIfAny('type') ?? 'message'
  switch (type) {
    case 'message': {
      const role = readRole(item)
      item.leaveOut('phase')
      turns.add(role, readParts(item, 'content', PARTS_OF[role]), at)
      break
    }
    case 'function_call':
      turns.add('assistant', [readCall(item)], at)
      break
    case 'function_call_output':
      turns.add('user', [readOutput(item)], at)
      break
    case 'reasoning':
      turns.add('assistant', [readReasoning(item)], at)
      break
    default:
      throw valueNotTranslated(item.path('type'), type)
  }
  item.end()
}

function readRole(item: FieldReader): Role {
  const role = item.choiceIfAny('role', ROLES)
  if (role === undefined) throw wrongField(item.path('role'), 'must be a string.')
  return role
}

function readParts(item: FieldReader, name: string, allowed: readonly PartType[]): ContentPart[] {
  const content = item.any(name)
  const at = item.path(name)
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content, at }]
  if (!Array.isArray(content)) throw wrongField(at, 'must be a string or an array.')
  return item.readersIn(name).map((part) => {
    const type = part.text('type')
    const known = allowed.find((one) => one === type)
    if (known === undefined) throw valueNotTranslated(part.path('type'), type)
    part.leaveOut('prompt_cache_breakpoint')
    const read = readPart(part, known)
    part.end()
    return read
  })
}

function readPart(part: FieldReader, type: PartType): ContentPart {
  const { at } = part
  switch (type) {
    case 'input_text':
      return { type: 'text', text: part.text('text'), at }
    case 'output_text':
      part.onlyEmpty('annotations')
      part.onlyEmpty('logprobs')
      return { type: 'text', text: part.text('text'), at }
    case 'refusal':
      return { type, text: part.text('refusal'), at }
    case 'input_image':
      return readImage(part)
    case 'input_file':
      return readFile(part)
  }
}

function readImage(part: FieldReader): ImagePart {
  const source = mediaIn(part.text('image_url'), part.path('image_url'))
  const detail = part.given('detail', part.textIfAny('detail'))
  const image = { type: 'image', source, at: part.at } as const
  return detail === undefined || detail.value === 'auto' ? image : { ...image, detail }
}

function readFile(part: FieldReader): DocumentPart {
  part.only('detail', 'auto')
  const data = part.textIfAny('file_data')
  const url = part.textIfAny('file_url')
  const name = part.textIfAny('filename')
  if ((data === undefined) === (url === undefined)) {
    throw wrongField(part.at, "must have either 'file_data' or 'file_url'.")
  }
  const source = url === undefined ? fileSource(data ?? '', part.path('file_data')) : ({ kind: 'url', url } as const)
  const document = { type: 'document', source, at: part.at } as const
  return name === undefined ? document : { ...document, name }
}

function fileSource(data: string, at: string): DocumentPart['source'] {
  // A file without a media type is a PDF, as the first documents of this API were.
  return data.startsWith('data:') ? documentIn(data, at) : { kind: 'base64', mediaType: 'application/pdf', data }
}

function readCall(item: FieldReader): Part {
  readCaller(item)
  const call = { type: 'toolCall', id: item.text('call_id'), name: item.text('name') } as const
  return { ...call, arguments: item.text('arguments'), at: item.path('arguments') }
}

function readOutput(item: FieldReader): Part {
  readCaller(item)
  const callId = item.text('call_id')
  const content = readParts(item, 'output', INPUTS).filter((part) => part.type !== 'refusal')
  return { type: 'toolResult', callId, content, isError: false, at: item.at }
}

/** A call that the model made itself, and not a program of the provider. */
function readCaller(item: FieldReader): void {
  const caller = item.readerIfAny('caller')
  caller?.choiceIfAny('type', ['direct'])
  caller?.end()
}

function readReasoning(item: FieldReader): Part {
  const { at } = item
  const summaries = item.readersIn('summary').map((summary) => readThought(summary, 'summary_text'))
  const thoughts = item.readersIn('content').map((thought) => readThought(thought, 'reasoning_text'))
  const encrypted = item.textIfAny('encrypted_content')
  const id = item.textIfAny('id')
  const texts = summaries.length > 0 ? summaries : thoughts
  // A provider has shown one of them as the text of the other; both are only in its own state.
  if (summaries.length > 0 && thoughts.length > 0 && encrypted === undefined) throw notTranslated(item.path('content'))
  const own: ReasoningState = {
    origin: 'responses',
    ...(id === undefined ? {} : { id }),
    ...(texts.length > 1 ? { cuts: texts.map(({ length }) => length) } : {}),
  }
  const state = encrypted === undefined ? own : stateIn(encrypted, own)
  if (state === null) throw wrongField(item.path('encrypted_content'), 'is not as the gateway wrote it.')
  return { type: 'reasoning', text: texts.join(SUMMARY_BREAK), state, at }
}

function readThought(thought: FieldReader, type: string): string {
  thought.choiceIfAny('type', [type])
  const text = thought.text('text')
  thought.end()
  return text
}

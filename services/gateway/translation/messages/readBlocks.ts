import type {
  DocumentPart,
  ImagePart,
  MediaSource,
  Part,
  TextPart,
  ToolResultPart,
} from '../conversation/conversation.ts'
import { stateIn } from '../conversation/reasoningState.ts'
import type { FieldReader } from '../fields/fieldReader.ts'
import { valueNotTranslated, wrongField } from '../fields/requestRefused.ts'

const RESULT_BLOCKS = ['text', 'image', 'document'] as const
const BLOCKS_OF = {
  system: ['text'],
  user: [...RESULT_BLOCKS, 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
} as const
type BlockType = (typeof BLOCKS_OF)[keyof typeof BLOCKS_OF][number]

/** `content` of a message, or `system`: a text or a list of blocks. */
export function readContent(fields: FieldReader, name: string, role: keyof typeof BLOCKS_OF): Part[] {
  const content = fields.any(name)
  const at = fields.path(name)
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content, at }]
  if (!Array.isArray(content)) throw wrongField(at, 'must be a string or an array.')
  return fields.readersIn(name).map((block) => readBlock(block, BLOCKS_OF[role]))
}

function readBlock(block: FieldReader, allowed: readonly BlockType[]): Part {
  const name = block.text('type')
  const type = allowed.find((one) => one === name)
  if (type === undefined) throw valueNotTranslated(block.path('type'), name)
  block.leaveOut('cache_control')
  const part = readKnown(block, type)
  block.end()
  return part
}

function readKnown(block: FieldReader, type: BlockType): Part {
  const { at } = block
  switch (type) {
    case 'text':
      block.onlyEmpty('citations')
      return { type, text: block.text('text'), at }
    case 'image':
      return readImage(block)
    case 'document':
      return readDocument(block)
    case 'tool_use':
      return readToolUse(block)
    case 'tool_result':
      return readToolResult(block)
    case 'thinking': {
      const state = stateIn(block.text('signature'), { origin: 'messages' })
      if (state === null) throw wrongField(block.path('signature'), 'is not as the gateway wrote it.')
      return { type: 'reasoning', text: block.text('thinking'), state, at }
    }
    case 'redacted_thinking':
      return {
        type: 'reasoning',
        text: '',
        state: { origin: 'messages', signature: block.text('data'), isRedacted: true },
        at,
      }
  }
}

function readToolUse(block: FieldReader): Part {
  const caller = block.readerIfAny('caller')
  caller?.choiceIfAny('type', ['direct'])
  caller?.end()
  const input = block.objectIfAny('input')
  if (input === undefined) throw wrongField(block.path('input'), 'must be an object.')
  const call = { type: 'toolCall', id: block.text('id'), name: block.text('name') } as const
  return { ...call, arguments: JSON.stringify(input), at: block.path('input') }
}

function readToolResult(block: FieldReader): ToolResultPart {
  const { at } = block
  const callId = block.text('tool_use_id')
  const isError = block.flagIfAny('is_error') ?? false
  return { type: 'toolResult', callId, content: readResultContent(block), isError, at }
}

function readResultContent(block: FieldReader): ToolResultPart['content'] {
  const content = block.any('content')
  const at = block.path('content')
  if (content === undefined || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content, at }]
  if (!Array.isArray(content)) throw wrongField(at, 'must be a string or an array.')
  return block
    .readersIn('content')
    .map((inner) => readBlock(inner, RESULT_BLOCKS) as TextPart | ImagePart | DocumentPart)
}

function readImage(block: FieldReader): ImagePart {
  const source = block.reader('source')
  source.choiceIfAny('type', ['base64', 'url'])
  const media = readMedia(source)
  source.end()
  return { type: 'image', source: media, at: block.at }
}

function readDocument(block: FieldReader): DocumentPart {
  const { at } = block
  const citations = block.readerIfAny('citations')
  citations?.only('enabled', false)
  citations?.end()
  const name = block.textIfAny('title')
  const reader = block.reader('source')
  const type = reader.choiceIfAny('type', ['base64', 'url', 'text'])
  const source = type === 'text' ? readPlainText(reader) : readMedia(reader)
  reader.end()
  return name === undefined ? { type: 'document', source, at } : { type: 'document', source, name, at }
}

function readPlainText(source: FieldReader): DocumentPart['source'] {
  source.choiceIfAny('media_type', ['text/plain'])
  return { kind: 'text', text: source.text('data') }
}

function readMedia(source: FieldReader): MediaSource {
  if (source.any('type') === 'url') return { kind: 'url', url: source.text('url') }
  return { kind: 'base64', mediaType: source.text('media_type'), data: source.text('data') }
}

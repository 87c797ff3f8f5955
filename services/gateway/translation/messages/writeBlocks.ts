import type {
  DocumentPart,
  ImagePart,
  Part,
  ReasoningPart,
  ToolResultPart,
  Turn,
} from '../conversation/conversation.ts'
import { argumentsObject } from '../fields/jsonTexts.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { notTranslated, wrongField } from '../fields/requestRefused.ts'

type Block = Readonly<Record<string, unknown>>

const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
const PDF = 'application/pdf'
/** The ids that this API accepts. */
const TOOL_ID = /^[a-zA-Z0-9_-]+$/
const OTHER_ID = 'tg_'

/** The messages of a conversation, and what its first turn says to the model as `system`. */
export function writeTurns(turns: readonly Turn[], leftOut: LeftOut): { system?: unknown; messages: object[] } {
  const messages: { role: string; content: Block[] }[] = []
  const system: Block[] = []
  for (const { role, parts } of turns) {
    const blocks = parts.flatMap((part) => writeBlock(part, leftOut))
    const last = messages.at(-1)
    // An empty text, or reasoning that was left out, leaves a message of nothing, which this API refuses.
    if (blocks.length === 0) continue
    if (role === 'user' || role === 'assistant') messages.push({ role, content: blocks })
    else if (last === undefined) system.push(...blocks)
    else if (last.role === 'system') last.content.push(...blocks)
    else messages.push({ role: 'system', content: blocks })
  }
  const written = messages.map(({ role, content }) => ({ role, content: oneTextOr(content) }))
  return system.length === 0 ? { messages: written } : { system: oneTextOr(system), messages: written }
}

function oneTextOr(blocks: readonly Block[]): unknown {
  const [first] = blocks
  if (first === undefined) return ''
  return blocks.length === 1 && first.type === 'text' ? first.text : blocks
}

function writeBlock(part: Part, leftOut: LeftOut): Block[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      // This API refuses empty texts, which say nothing.
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
      return [imageBlock(part)]
    case 'document':
      return [documentBlock(part)]
    case 'toolCall': {
      const input = argumentsObject(part.arguments)
      if (input === undefined) throw wrongField(part.at, 'must be a JSON object as text for this model.')
      return [{ type: 'tool_use', id: toolId(part.id), name: part.name, input }]
    }
    case 'toolResult':
      return [resultBlock(part, leftOut)]
    case 'reasoning':
      return thinkingBlocks(part, leftOut)
  }
}

/** Ids in another alphabet are written in this one, so that a call and its result still have the same. */
function toolId(id: string): string {
  return TOOL_ID.test(id) && !id.startsWith(OTHER_ID) ? id : OTHER_ID + Buffer.from(id).toString('base64url')
}

/** Only reasoning of this API has a signature that it accepts. */
function thinkingBlocks({ text, state }: ReasoningPart, leftOut: LeftOut): Block[] {
  if (state?.origin !== 'messages' || state.signature === undefined) {
    leftOut.add('reasoning')
    return []
  }
  const { signature, isRedacted } = state
  return [isRedacted ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking: text, signature }]
}

function resultBlock({ callId, content, isError }: ToolResultPart, leftOut: LeftOut): Block {
  const blocks = content.flatMap((part) => writeBlock(part, leftOut))
  return {
    type: 'tool_result',
    tool_use_id: toolId(callId),
    ...(blocks.length > 0 ? { content: oneTextOr(blocks) } : {}),
    ...(isError ? { is_error: true } : {}),
  }
}

function imageBlock({ source, detail, at }: ImagePart): Block {
  // The detail decides what an image costs.
  if (detail !== undefined) throw notTranslated(detail.at)
  if (source.kind === 'url') return { type: 'image', source: { type: 'url', url: source.url } }
  const { mediaType, data } = source
  if (!IMAGES.has(mediaType)) throw wrongField(at, `must be an image of ${[...IMAGES].join(', ')} for this model.`)
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
}

function documentBlock({ source, name, at }: DocumentPart): Block {
  const title = name === undefined ? {} : { title: name }
  if (source.kind === 'url') return { type: 'document', source: { type: 'url', url: source.url }, ...title }
  if (source.kind === 'text') {
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: source.text }, ...title }
  }
  const { mediaType, data } = source
  if (mediaType !== PDF) throw wrongField(at, 'must be a PDF or plain text for this model.')
  return { type: 'document', source: { type: 'base64', media_type: PDF, data }, ...title }
}

import type { DocumentPart, ImagePart, Part, ReasoningPart, Role, Turn } from '../conversation/conversation.ts'
import { summariesOf } from '../conversation/reasoningState.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { dataOf, fileName, urlOf } from '../fields/mediaSources.ts'
import { notTranslated } from '../fields/requestRefused.ts'

/** Calls, results and reasoning are items of their own; what stands between them is a message of the role. */
export function writeItems(turns: readonly Turn[], leftOut: LeftOut): object[] {
  return turns.flatMap(({ role, parts }) => {
    const items: object[] = []
    let said: Part[] = []
    const say = () => {
      if (said.length > 0) items.push({ type: 'message', role, content: contentOf(said, role) })
      said = []
    }
    for (const part of parts) {
      if (part.type !== 'toolCall' && part.type !== 'toolResult' && part.type !== 'reasoning') {
        said.push(part)
        continue
      }
      say()
      items.push(...itemsOf(part, leftOut))
    }
    say()
    // A turn may have nothing but reasoning that was left out; one that the caller left empty stays.
    return parts.length === 0 ? [{ type: 'message', role, content: '' }] : items
  })
}

function itemsOf(part: Extract<Part, { type: 'toolCall' | 'toolResult' | 'reasoning' }>, leftOut: LeftOut): object[] {
  switch (part.type) {
    case 'toolCall':
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments }]
    case 'toolResult': {
      if (part.isError) leftOut.add('is_error')
      return [{ type: 'function_call_output', call_id: part.callId, output: contentOf(part.content, 'user') }]
    }
    case 'reasoning':
      return reasoningItems(part, leftOut)
  }
}

/** Without its encrypted content the provider would look the item up, and it has stored nothing. */
function reasoningItems({ text, state }: ReasoningPart, leftOut: LeftOut): object[] {
  if (state?.origin !== 'responses' || state.signature === undefined) {
    leftOut.add('reasoning')
    return []
  }
  const { id, signature, cuts } = state
  const summary = summariesOf(text, cuts).map((one) => ({ type: 'summary_text', text: one }))
  return [{ type: 'reasoning', ...(id === undefined ? {} : { id }), summary, encrypted_content: signature }]
}

function contentOf(parts: readonly Part[], role: Role): unknown {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts.map((part) => contentPart(part, role))
}

function contentPart(part: Part, role: Role): object {
  switch (part.type) {
    case 'text':
      if (role !== 'assistant') return { type: 'input_text', text: part.text }
      return { type: 'output_text', text: part.text, annotations: [] }
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image':
      return imagePart(part)
    case 'document':
      return documentPart(part)
    default:
      throw notTranslated(part.at)
  }
}

function imagePart({ source, detail }: ImagePart): object {
  return { type: 'input_image', image_url: urlOf(source), detail: detail?.value ?? 'auto' }
}

function documentPart(part: DocumentPart): object {
  const { source } = part
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url }
  return { type: 'input_file', filename: fileName(part), file_data: dataOf(source) }
}

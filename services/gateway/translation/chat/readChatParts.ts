import type { DocumentPart, ImagePart, RefusalPart, TextPart } from '../conversation/conversation.ts'
import type { FieldReader } from '../fields/fieldReader.ts'
import { documentIn, mediaIn } from '../fields/mediaSources.ts'
import { valueNotTranslated, wrongField } from '../fields/requestRefused.ts'

type ContentPart = TextPart | RefusalPart | ImagePart | DocumentPart

/** Which parts a message of this role may have. */
export type AllowedParts = readonly ('text' | 'refusal' | 'image_url' | 'file')[]

/** `content` of a message: a text, a list of parts, or nothing. An empty text says nothing and is no part. */
export function readChatContent(message: FieldReader, allowed: AllowedParts): ContentPart[] {
  const content = message.any('content')
  const at = message.path('content')
  if (content === undefined || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content, at }]
  if (!Array.isArray(content)) throw wrongField(at, 'must be a string or an array.')
  return message.readersIn('content').map((part) => readPart(part, allowed))
}

function readPart(part: FieldReader, allowed: AllowedParts): ContentPart {
  const type = part.text('type')
  const known = allowed.find((name) => name === type)
  if (known === undefined) throw valueNotTranslated(part.path('type'), type)
  part.leaveOut('prompt_cache_breakpoint', 'cache_control')
  const read = readKnown(part, known)
  part.end()
  return read
}

function readKnown(part: FieldReader, type: AllowedParts[number]): ContentPart {
  const { at } = part
  switch (type) {
    case 'text':
      return { type, text: part.text('text'), at }
    case 'refusal':
      return { type, text: part.text('refusal'), at }
    case 'image_url':
      return readImage(part.reader('image_url'), at)
    case 'file':
      return readFile(part.reader('file'), at)
  }
}

function readImage(image: FieldReader, at: string): ImagePart {
  const source = mediaIn(image.text('url'), image.path('url'))
  const detail = image.given('detail', image.textIfAny('detail'))
  image.end()
  return detail === undefined || detail.value === 'auto'
    ? { type: 'image', source, at }
    : { type: 'image', source, detail, at }
}

function readFile(file: FieldReader, at: string): DocumentPart {
  const data = file.text('file_data')
  // A part without a media type is a PDF, as the first documents of this API were.
  const source = data.startsWith('data:')
    ? documentIn(data, file.path('file_data'))
    : ({ kind: 'base64', mediaType: 'application/pdf', data } as const)
  const name = file.textIfAny('filename')
  file.end()
  return name === undefined ? { type: 'document', source, at } : { type: 'document', source, name, at }
}

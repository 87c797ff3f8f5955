import type { DocumentPart, MediaSource } from '../conversation/conversation.ts'
import { wrongField } from './requestRefused.ts'

const PLAIN_TEXT = 'text/plain'
const BASE64 = ';base64'
/** A media type needs no more; what is longer is content without a comma. */
const DATA_URL_HEAD_CHARS_MAX = 200

/** The source that a URL stands for: the data in a `data:` URL, or else the URL, which the provider is to fetch. */
export function mediaIn(url: string, at: string): MediaSource {
  if (!/^data:/i.test(url)) return { kind: 'url', url }
  const head = url.slice(0, DATA_URL_HEAD_CHARS_MAX)
  const comma = head.indexOf(',')
  const type = head.slice('data:'.length, comma)
  if (comma === -1 || !type.endsWith(BASE64) || type === BASE64) {
    throw wrongField(at, "must be a URL, or data as 'data:<media type>;base64,<data>'.")
  }
  return { kind: 'base64', mediaType: type.slice(0, -BASE64.length), data: url.slice(comma + 1) }
}

export function urlOf(source: MediaSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`
}

/** A document of plain text is read as text, so that an API with a form of its own for it gets that. */
export function documentIn(url: string, at: string): DocumentPart['source'] {
  const source = mediaIn(url, at)
  if (source.kind !== 'base64' || source.mediaType !== PLAIN_TEXT) return source
  return { kind: 'text', text: Buffer.from(source.data, 'base64').toString() }
}

export function dataOf(source: Exclude<DocumentPart['source'], { kind: 'url' }>): string {
  if (source.kind === 'base64') return urlOf(source)
  return `data:${PLAIN_TEXT};base64,${Buffer.from(source.text).toString('base64')}`
}

/** The APIs of OpenAI want a file to have a name. */
export function fileName({ source, name }: DocumentPart): string {
  return name ?? (source.kind === 'text' ? 'document.txt' : 'document.pdf')
}

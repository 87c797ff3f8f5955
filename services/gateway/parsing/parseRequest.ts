import type { IncomingMessage } from 'node:http'
import { LIMITS } from '../../../contracts/limits.ts'
import type { SentFile } from '../../platform/documents/documentKind.ts'
import { readBody } from '../../platform/http/requestBody.ts'
import { GatewayError } from '../gatewayError.ts'

/** What is to be parsed: text as it is, or a file to be read first. */
export type ParseRequest = { readonly text: string } | { readonly file: SentFile }

const TAKEN = 'send JSON with the field "text", text/plain, or multipart/form-data with the field "file"'

export async function readParseRequest(request: IncomingMessage): Promise<ParseRequest> {
  const header = request.headers['content-type'] ?? 'application/json'
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  switch (type) {
    case 'application/json':
      return { text: textField(await bodyOf(request, LIMITS.requestBodyBytesMax)) }
    case 'text/plain':
      return {
        file: { name: '', contentType: type, bytes: await bodyOf(request, LIMITS.documentBytesMax) },
      }
    case 'multipart/form-data': {
      const body = await bodyOf(request, LIMITS.documentBytesMax + LIMITS.multipartOverheadBytesMax)
      return { file: await fileField(body, header) }
    }
    default:
      throw refused(`A body of type ${JSON.stringify(type.slice(0, 100))} is not taken; ${TAKEN}.`)
  }
}

async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const body = await readBody(request, bytesMax)
  switch (body) {
    case 'too large':
      throw tooLarge()
    case 'encoded':
      throw new GatewayError(
        'bodyEncoded',
        'A compressed body is not taken; send it as it is, without content-encoding.',
      )
    case 'aborted':
      throw refused('The body ended before it was complete.')
    default:
      if (body.length === 0) throw refused(`The body is empty; ${TAKEN}.`)
      return body
  }
}

function textField(body: Buffer): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw refused('The body is not valid JSON in UTF-8.')
  }
  const text = typeof parsed === 'object' && parsed !== null ? (parsed as { text?: unknown }).text : undefined
  if (text === undefined) throw refused("'text' is missing.")
  if (typeof text !== 'string') throw refused("'text' must be a string.")
  return text
}

async function fileField(body: Buffer, contentType: string): Promise<SentFile> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null)
  if (form === null) throw refused('The multipart body cannot be read.')
  if ([...form].length > LIMITS.multipartPartsMax) throw refused('The multipart body has too many parts.')
  const files = form.getAll('file')
  const [file] = files
  if (file === undefined) throw refused('\'file\' is missing; send the document in the field "file".')
  if (files.length > 1) throw refused("'file' occurs more than once; send one document a call.")
  if (typeof file === 'string') throw refused("'file' must be a file, with a file name.")
  if (file.size > LIMITS.documentBytesMax) throw tooLarge()
  return { name: file.name, contentType: file.type, bytes: Buffer.from(await file.arrayBuffer()) }
}

function tooLarge(): GatewayError {
  return new GatewayError('bodyTooLarge', `The document is larger than ${LIMITS.documentBytesMax} bytes.`)
}

function refused(message: string): GatewayError {
  return new GatewayError('invalidRequest', message)
}

import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { SentFile } from '../../../capabilities/documents/documentKind.ts'
import { TEXT_TOO_LONG } from '../../../capabilities/documents/plainText.ts'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TEXT_CHARS_MAX, REQUEST_BODY_BYTES_MAX } from '../../../contracts/limits.ts'
import { type BodyReader, BodyRefused, wholeBody } from '../../../platform/http/body/bodyReaders.ts'
import { SERVICE_JSON_VALUES_MAX } from '../../../platform/http/body/jsonScan.ts'
import { readMultipart } from '../../../platform/http/body/multipart.ts'
import { MULTIPART_OVERHEAD_BYTES_MAX, type ScannedJson } from '../../../platform/http/body/requestBody.ts'
import { checkedBy } from '../../../platform/http/checkedBy.ts'
import type { RequestPlace } from '../../../platform/http/limits/requestPlaces.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'

/** Files in one multipart body, and fields beside them. */
const MULTIPART_PARTS_MAX = 10
/** JSON encodes a character in at most six bytes. A longer body is too long or padded, and is not parsed. */
const TEXT_JSON_BYTES_MAX = 6 * DOCUMENT_TEXT_CHARS_MAX + 64 * 1024
const TEXT_JSON: ScannedJson = { valuesMax: SERVICE_JSON_VALUES_MAX }

/** The text to parse, or a file whose text is read first. */
export type ParseRequest = { readonly text: string } | { readonly file: SentFile }

const ACCEPTED = 'send JSON with the field "text", text/plain, or multipart/form-data with the field "file"'
const TOO_LARGE = `The document is larger than ${DOCUMENT_BYTES_MAX} bytes.`

const textRequest = z
  .looseObject(
    {
      text: z.string({
        error: ({ input }) => (input === undefined ? "'text' is missing." : "'text' must be a string."),
      }),
    },
    { error: "'text' is missing." },
  )
  .meta({ id: 'ParseRequest' })

/** JSON with the text, or the document itself. */
export const parseBody: BodyReader<ParseRequest> = {
  contents: {
    'application/json': { schema: textRequest },
    'text/plain': { schema: { type: 'string' } },
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
  read: readParseRequest,
}

async function readParseRequest(request: IncomingMessage, place: RequestPlace): Promise<ParseRequest> {
  const header = request.headers['content-type'] ?? 'application/json'
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  switch (type) {
    case 'application/json':
      return { text: textField(await bodyOf(request, REQUEST_BODY_BYTES_MAX, place, TEXT_JSON)) }
    case 'text/plain':
      return {
        file: { name: '', contentType: type, bytes: await bodyOf(request, DOCUMENT_BYTES_MAX, place) },
      }
    case 'multipart/form-data': {
      const body = await bodyOf(request, DOCUMENT_BYTES_MAX + MULTIPART_OVERHEAD_BYTES_MAX, place)
      return { file: fileField(body, header) }
    }
    default:
      throw invalidRequest(`A body of type ${JSON.stringify(type.slice(0, 100))} is not accepted; ${ACCEPTED}.`)
  }
}

async function bodyOf(
  request: IncomingMessage,
  bytesMax: number,
  place: RequestPlace,
  json?: ScannedJson,
): Promise<Buffer> {
  const body = await wholeBody(request, bytesMax, place, json).catch((error: unknown) => {
    const isTooLarge = error instanceof BodyRefused && error.fault === 'too large'
    throw isTooLarge ? new GatewayError('bodyTooLarge', TOO_LARGE) : error
  })
  if (body.length === 0) throw invalidRequest(`The body is empty; ${ACCEPTED}.`)
  return body
}

function textField(body: Buffer): string {
  if (body.length > TEXT_JSON_BYTES_MAX) throw invalidRequest(TEXT_TOO_LONG)
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalidRequest('The body is not valid JSON in UTF-8.')
  }
  return checkedBy(textRequest, parsed, 'The body').text
}

function fileField(body: Buffer, contentType: string): SentFile {
  const parts = readMultipart(body, contentType, MULTIPART_PARTS_MAX)
  if (parts === 'unreadable') throw invalidRequest('The multipart body cannot be read.')
  if (parts === 'too many parts') throw invalidRequest('The multipart body has too many parts.')
  const files = parts.filter(({ name }) => name === 'file')
  const [file] = files
  if (file === undefined) throw invalidRequest('\'file\' is missing; send the document in the field "file".')
  if (files.length > 1) throw invalidRequest("'file' occurs more than once; send one document a call.")
  const { filename, contentType: type, bytes } = file
  if (filename === null) throw invalidRequest("'file' must be a file, with a file name.")
  if (bytes.length > DOCUMENT_BYTES_MAX) throw new GatewayError('bodyTooLarge', TOO_LARGE)
  return { name: filename, contentType: type, bytes }
}

const CRLF = '\r\n'
const HYPHEN = 0x2d
const HEADERS_END = Buffer.from(CRLF + CRLF)
const PART_HEADERS_BYTES_MAX = 4 * 1024
/** How many false boundaries are tolerated: a file may have a few by chance, and each costs a search. */
const LOOKALIKES_MAX = 1_000

export type FormPart = {
  readonly name: string
  /** null for a plain field. */
  readonly filename: string | null
  readonly contentType: string
  /** A view of the body, not a copy. */
  readonly bytes: Buffer
}

export type MultipartFault = 'unreadable' | 'too many parts'

/**
 * The parts of a multipart/form-data body. Only boundaries are searched for, so the content of a part costs next to
 * nothing; the number of parts is limited during the search.
 */
export function readMultipart(body: Buffer, contentType: string, partsMax: number): FormPart[] | MultipartFault {
  const boundary = boundaryOf(contentType)
  if (boundary === null) return 'unreadable'
  const separator = Buffer.from(`${CRLF}--${boundary}`)
  // The first boundary need not follow a line.
  const starts = body.subarray(0, separator.length - 2).equals(separator.subarray(2))
  const ends = new Separators(body, separator)
  let at = starts ? separator.length - 2 : (ends.next(0)?.end ?? -1)
  if (at === -1) return 'unreadable'
  const parts: FormPart[] = []
  while (!isEnd(body, at)) {
    if (parts.length === partsMax) return 'too many parts'
    const lineEnd = body.subarray(at, at + PART_HEADERS_BYTES_MAX).indexOf(CRLF)
    if (lineEnd === -1) return 'unreadable'
    const headersStart = at + lineEnd
    const headers = body.subarray(headersStart, headersStart + PART_HEADERS_BYTES_MAX)
    const headersEnd = headers.indexOf(HEADERS_END)
    if (headersEnd === -1) return 'unreadable'
    const start = headersStart + headersEnd + HEADERS_END.length
    const end = ends.next(start - CRLF.length)
    const described = descriptionIn(headers.toString('utf8', 0, headersEnd))
    if (end === null || described === null) return 'unreadable'
    parts.push({ ...described, bytes: body.subarray(start, Math.max(start, end.start)) })
    at = end.end
  }
  return parts
}

/** Finds the boundaries between parts, each followed by a line end or, at the end of the body, by two hyphens. */
class Separators {
  readonly #body: Buffer
  readonly #separator: Buffer
  #lookalikesLeft = LOOKALIKES_MAX

  constructor(body: Buffer, separator: Buffer) {
    this.#body = body
    this.#separator = separator
  }

  next(from: number): { readonly start: number; readonly end: number } | null {
    for (let at = from; this.#lookalikesLeft > 0; this.#lookalikesLeft--) {
      const start = this.#body.indexOf(this.#separator, at)
      if (start === -1) return null
      const end = start + this.#separator.length
      if (isEnd(this.#body, end) || /^[ \t]*\r\n/.test(this.#body.toString('latin1', end, end + 16))) {
        return { start, end }
      }
      at = end
    }
    return null
  }
}

function isEnd(body: Buffer, at: number): boolean {
  return body[at] === HYPHEN && body[at + 1] === HYPHEN
}

function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/** null if the part does not name its field. */
function descriptionIn(headers: string): Omit<FormPart, 'bytes'> | null {
  const disposition = headerIn(headers, 'content-disposition')
  const name = parameterIn(disposition, 'name')
  if (!/^form-data\s*;/i.test(disposition) || name === null) return null
  const filename = parameterIn(disposition, 'filename') || null
  return { name, filename, contentType: headerIn(headers, 'content-type') || 'text/plain' }
}

function headerIn(headers: string, name: string): string {
  for (const line of headers.split(CRLF)) {
    const colon = line.indexOf(':')
    if (colon !== -1 && line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim()
  }
  return ''
}

/**
 * Browsers write quotes and line ends in names as percent escapes, and backslashes as they are. Other clients put a
 * backslash before a quote; such a quote does not end the value, unless nothing or another parameter follows.
 */
function parameterIn(header: string, name: string): string | null {
  const value = new RegExp(`;\\s*${name}=(?:"((?:[^"]|(?<=\\\\)"(?!\\s*(?:;|$)))*)"|([^\\s;"]+))`, 'i')
  const [, quoted, plain] = value.exec(header) ?? []
  const text = quoted?.replaceAll('\\"', '"') ?? plain
  return text?.replace(/%(0D|0A|22)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) ?? null
}

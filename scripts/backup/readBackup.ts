import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { SavedKey } from '../../capabilities/personalData/personalData.ts'
import type { SavedSaltSecret } from '../../capabilities/transparency/savedSaltSecrets.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { LineTooLong, linesOf } from './backupLines.ts'
import { type BackupFacts, contentHash, type End, FORMAT_VERSION, type Header, readHeader, readLine } from './format.ts'
import type { SavedEvent } from './savedEvent.ts'

/** An event and the size of its line, by which readers limit what they keep in memory. */
export type SavedLine = { readonly event: SavedEvent; readonly bytes: number }

/**
 * Yields the events of a backup, some at a time, and returns its facts if the file is complete and unaltered. Damage
 * may show only at the end, so a caller that must not act on a damaged file reads all of it first.
 */
export async function* readBackup(file: string): AsyncGenerator<readonly SavedLine[], BackupFacts, void> {
  const hash = contentHash()
  let header: Header | null = null
  let end: End | null = null
  let events = 0
  let personalKeys = 0
  let logSecrets = 0
  let position: Position = BEGINNING
  try {
    for await (const { bytes, texts } of linesOf(uncompressed(file))) {
      const page: SavedLine[] = []
      // The hash at the end does not cover the end itself.
      let hashedBytes = bytes.length
      for (const text of texts) {
        if (end) throw new Error(`${file} is damaged: it continues after its end`)
        if (!header) {
          header = requireHeader(file, text)
          continue
        }
        const read = readLine(text)
        if (!read) {
          throw new Error(`${file} is damaged: line ${events + personalKeys + logSecrets + 2} is not an event`)
        }
        if ('end' in read) {
          end = read.end
          hashedBytes -= Buffer.byteLength(text) + 1
          continue
        }
        if ('logSecret' in read) {
          logSecrets++
          continue
        }
        if ('personalKey' in read) {
          personalKeys++
          continue
        }
        if (personalKeys + logSecrets > 0) throw new Error(`${file} is damaged: there are events after the keys`)
        events++
        position = read.position
        page.push({ event: read, bytes: Buffer.byteLength(text) + 1 })
      }
      hash.update(bytes.subarray(0, hashedBytes))
      if (page.length > 0) yield page
    }
  } catch (error) {
    throw readingError(file, error, header !== null)
  }
  if (!header) throw noBackup(file)
  if (!end) throw cutOff(file)
  const sha256 = hash.digest('hex')
  const isAsWritten =
    end.events === events &&
    end.personalKeys === personalKeys &&
    end.logSecrets === logSecrets &&
    end.position === position
  if (!isAsWritten || end.sha256 !== sha256) {
    throw new Error(
      `${file} is altered: it has ${events} events with SHA-256 ${sha256}, but was written with ${end.events} and ${end.sha256}`,
    )
  }
  const { version, createdAt, head, idsAreUnique } = header
  return { version, createdAt, head, idsAreUnique, ...end }
}

/** The keys of personal fields and the log secrets of a previously checked backup, a page at a time. */
export type SavedSecrets = {
  readonly personalKeys: readonly SavedKey[]
  readonly logSecrets: readonly SavedSaltSecret[]
}

export async function* readSecrets(file: string): AsyncGenerator<SavedSecrets, void, void> {
  for await (const { texts } of linesOf(uncompressed(file))) {
    // Most lines are events, which are skipped without parsing.
    const page = texts.filter((text) => SECRET_STARTS.some((start) => text.startsWith(start))).map(readLine)
    if (page.length === 0) continue
    yield {
      personalKeys: page.flatMap((read) => (read && 'personalKey' in read ? [read.personalKey] : [])),
      logSecrets: page.flatMap((read) => (read && 'logSecret' in read ? [read.logSecret] : [])),
    }
  }
}

const SECRET_STARTS = ['{"personalKey":', '{"logSecret":']

/** How much is uncompressed at a time: a few hundred events, because each piece costs a turn of two threads. */
const PIECE_BYTES = 256 * 1024

function uncompressed(file: string): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ rejectGarbageAfterEnd: true, chunkSize: PIECE_BYTES })
  // A failure is also an error of the stream, which the reader sees.
  pipeline(createReadStream(file), gunzip).catch(() => {})
  return gunzip
}

function requireHeader(file: string, line: string): Header {
  const header = readHeader(line)
  if (!header) throw noBackup(file)
  if ('format' in header) return header
  throw new Error(
    `${file} has format version ${header.version}, but this program reads up to ${FORMAT_VERSION}: use a newer program`,
  )
}

const noBackup = (file: string) => new Error(`${file} is not a backup of Tollgate`)
const cutOff = (file: string) => new Error(`${file} is cut off: its end is missing`)

function readingError(file: string, error: unknown, hasBegun: boolean): unknown {
  if (error instanceof LineTooLong)
    return hasBegun ? new Error(`${file} is damaged: a line has no end`) : noBackup(file)
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new Error(`there is no file ${file}`)
  if (code === 'Z_BUF_ERROR') return cutOff(file)
  if (code.startsWith('Z_') || code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') {
    return hasBegun ? new Error(`${file} is damaged: ${message}`) : noBackup(file)
  }
  return /^E[A-Z]+$/.test(code) ? new Error(`${file} cannot be read (${code})`) : error
}

import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { SavedKey } from '../../services/platform/personal/personalData.ts'
import type { SavedLogSecret } from '../../services/platform/transparency/savedLogSecrets.ts'
import { LineTooLong, linesOf } from './backupLines.ts'
import { type BackupFacts, contentHash, type End, FORMAT_VERSION, type Header, readHeader, readLine } from './format.ts'
import type { SavedEvent } from './savedEvent.ts'

/** An event and the size of its line, by which readers limit what they hold in memory. */
export type SavedLine = { readonly event: SavedEvent; readonly bytes: number }

/**
 * Yields the events of a backup and returns its facts if the file is complete and unaltered. A damage may show only at
 * the end, so a caller that must not act on a damaged file reads all of it first.
 */
export async function* readBackup(file: string): AsyncGenerator<SavedLine, BackupFacts, void> {
  const hash = contentHash()
  let header: Header | null = null
  let end: End | null = null
  let events = 0
  let personalKeys = 0
  let logSecrets = 0
  let position: Position = BEGINNING
  try {
    for await (const lines of linesOf(uncompressed(file))) {
      for (const line of lines) {
        if (end) throw new Error(`${file} is damaged: it continues after its end`)
        if (!header) {
          header = requireHeader(file, line)
          hash.update(line)
          continue
        }
        const read = readLine(line)
        if (!read) {
          throw new Error(`${file} is damaged: line ${events + personalKeys + logSecrets + 2} is not an event`)
        }
        if ('end' in read) {
          end = read.end
          continue
        }
        hash.update(line)
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
        yield { event: read, bytes: line.length }
      }
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

/** The keys of personal fields and the log secrets of a backup that was checked before, a page at a time. */
export type SavedSecrets = {
  readonly personalKeys: readonly SavedKey[]
  readonly logSecrets: readonly SavedLogSecret[]
}

export async function* readSecrets(file: string): AsyncGenerator<SavedSecrets, void, void> {
  for await (const lines of linesOf(uncompressed(file))) {
    // Most lines are events, which are skipped without parsing them.
    const page = lines.filter((line) => SECRET_STARTS.some((start) => isStart(start, line))).map(readLine)
    if (page.length === 0) continue
    yield {
      personalKeys: page.flatMap((read) => (read && 'personalKey' in read ? [read.personalKey] : [])),
      logSecrets: page.flatMap((read) => (read && 'logSecret' in read ? [read.logSecret] : [])),
    }
  }
}

const SECRET_STARTS = [Buffer.from('{"personalKey":'), Buffer.from('{"logSecret":')]
const isStart = (start: Buffer, line: Buffer) => line.subarray(0, start.length).equals(start)

function uncompressed(file: string): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ rejectGarbageAfterEnd: true })
  // A failure is also an error of the stream, which the reader sees.
  pipeline(createReadStream(file), gunzip).catch(() => {})
  return gunzip
}

function requireHeader(file: string, line: Buffer): Header {
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

import type { Checkpoint } from '../../capabilities/transparency/checkpoint.ts'
import type { SavedTransparencyLog } from './savedTransparencyLog.ts'

const ORIGIN_CHARS_MAX = 200
/** Appended to the name of an origin that a restore starts: the time of the restore, in digits. */
const RESTORED = /\/r\d{14}$/

export type NewOrigin = { readonly origin: string; readonly reason: string }

/**
 * The origin that the log must have after the restore, or null if it keeps its own. A checkpoint published after the
 * backup promises entries that the restored store lacks, and nothing in the file reveals it. So only the newest
 * published checkpoint can show that the old origin may be kept.
 */
export function newOrigin(
  transparencyLog: SavedTransparencyLog,
  published: Checkpoint | null,
  at: string,
): NewOrigin | null {
  if (published === null) {
    if (transparencyLog.origin === null) return null
    const reason = 'restored from a backup: checkpoints may have been published after it was taken'
    return { origin: originAfter(transparencyLog.origin, transparencyLog, at), reason }
  }
  if (!isOlder(transparencyLog, published)) return null
  const reason = `restored from a backup that is older than the published checkpoint of ${published.size} entries`
  return { origin: originAfter(published.origin, transparencyLog, at), reason }
}

/** Whether the backup lacks the published checkpoint because it is older. Throws if there is another reason. */
function isOlder(transparencyLog: SavedTransparencyLog, { origin, size, root }: Checkpoint): boolean {
  if (transparencyLog.origin === null) return true
  if (origin !== transparencyLog.origin) {
    if (transparencyLog.earlierOrigins.has(origin)) {
      throw new Error(
        `the checkpoint has the origin ${origin}, which the log of the backup had before ${transparencyLog.origin}: give the newest ` +
          'checkpoint that was published',
      )
    }
    if (origin.replace(RESTORED, '') === nameOf(transparencyLog.origin, transparencyLog)) return true
    throw new Error(
      `the checkpoint has the origin ${origin}, but the log of the backup has the origin ${transparencyLog.origin}`,
    )
  }
  if (transparencyLog.rootAtPublished === null && transparencyLog.size < size) return true
  if (transparencyLog.rootAtPublished === Buffer.from(root).toString('base64')) return false
  const found =
    transparencyLog.rootAtPublished === null
      ? `the log of the backup never had a checkpoint of ${size} entries`
      : `the log of the backup has another tree of ${size} entries`
  throw new Error(
    `${found}, so the checkpoint is not one of this log: without --last-checkpoint, the restore starts a new origin`,
  )
}

const originAfter = (origin: string, transparencyLog: SavedTransparencyLog, at: string): string =>
  withTime(nameOf(origin, transparencyLog), at)

/** The origin that follows this one, whether or not a restore has started it. */
export const nextOrigin = (origin: string, at: string): string => withTime(origin.replace(RESTORED, ''), at)

/** Counting restores would not work: two restores of one backup would get the same number. */
function withTime(name: string, at: string): string {
  const suffix = `/r${at.replaceAll(/\D/g, '').slice(0, 14)}`
  return `${name.slice(0, ORIGIN_CHARS_MAX - suffix.length)}${suffix}`
}

/** Without the suffix of an earlier restore. */
function nameOf(origin: string, transparencyLog: SavedTransparencyLog): string {
  return origin !== transparencyLog.origin || transparencyLog.isStarted ? origin.replace(RESTORED, '') : origin
}

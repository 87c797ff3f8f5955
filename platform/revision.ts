import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Written by the build of the image, which has no Git. */
const REVISION_FILE = 'revision'
const COMMIT = /^[0-9a-f]{40,64}$/

/** The commit of a folder, from the image's file or from Git's own files; "unknown" without either. */
export function readRevision(root: string): string {
  const written = textOf(resolve(root, REVISION_FILE))
  if (written !== null && written !== '') return written
  const head = commitOf(gitFolder(root))
  return head !== null && COMMIT.test(head) ? head : 'unknown'
}

/** In a Git worktree, `.git` is a file with the path of the folder. */
function gitFolder(root: string): string {
  const link = textOf(resolve(root, '.git'))
  return link?.startsWith('gitdir: ') ? resolve(root, link.slice('gitdir: '.length)) : resolve(root, '.git')
}

function commitOf(folder: string): string | null {
  const head = textOf(resolve(folder, 'HEAD'))
  if (!head?.startsWith('ref: ')) return head
  const branch = head.slice('ref: '.length)
  const shared = textOf(resolve(folder, 'commondir'))
  const branches = shared === null ? folder : resolve(folder, shared)
  const loose = textOf(resolve(branches, branch))
  if (loose !== null) return loose
  const packed = textOf(resolve(branches, 'packed-refs'))?.split('\n') ?? []
  return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0] ?? null
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

/** The revision of this program. */
export const REVISION = readRevision(resolve(import.meta.dirname, '..'))

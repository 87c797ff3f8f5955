import { HASH_BYTES, type Hash } from './hashes.ts'

/** The shortest time between two published checkpoints. */
export const CHECKPOINT_INTERVAL_MS = 10_000

/** The tree that a log had at one time. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Hash }

/** The text of a C2SP tlog-checkpoint, before it is signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`
}

/** Reads the text of a checkpoint. Lines after the third are extensions, which nothing here uses. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', sizeText = '', rootText = '', ...rest] = text.split('\n')
  const size = Number(sizeText)
  const root = Buffer.from(rootText, 'base64')
  const isSize = /^(0|[1-9]\d*)$/.test(sizeText) && Number.isSafeInteger(size)
  const isRoot = root.length === HASH_BYTES && root.toString('base64') === rootText
  if (origin === '' || !isSize || !isRoot || rest.pop() !== '' || rest.includes('')) {
    throw new Error('a checkpoint has an origin, a size and a root hash, each on a line of its own')
  }
  return { origin, size, root }
}

import type { Hash } from './hashes.ts'

/** Proves that the tree of a receipt contains an older one. */
export type Consistency = { readonly oldSize: number; readonly hashes: readonly Hash[] }

export type TlogProof = {
  readonly index: number
  readonly inclusion: readonly Hash[]
  /** The signed note. */
  readonly checkpoint: string
  readonly consistency?: Consistency
}

/**
 * C2SP tlog-proof. The extra line, whose meaning the format leaves to applications, contains the proof of consistency
 * with a checkpoint that the reader already has, so that one file is enough to check both offline.
 */
export function tlogProofText({ index, inclusion, checkpoint, consistency }: TlogProof): string {
  const extra =
    consistency === undefined ? '' : `extra ${Buffer.from(consistencyText(consistency)).toString('base64')}\n`
  return `c2sp.org/tlog-proof@v1\n${extra}index ${index}\n${hashLines(inclusion)}\n${checkpoint}`
}

const consistencyText = ({ oldSize, hashes }: Consistency): string => `consistency ${oldSize}\n${hashLines(hashes)}`

const hashLines = (hashes: readonly Hash[]): string =>
  hashes.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')

import type { RecordedRotation } from '../../../capabilities/transparency/keyHistory.ts'
import { verifyRotation } from '../../../capabilities/transparency/keyRotation.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { parseVerifierKey, type VerifierKey } from '../../../platform/secrets/noteKeys.ts'
import type { AuditFaults } from './faults.ts'

/** The keys that may sign for an origin, from the settings or from the auditor. */
export type KeysOf = (origin: string) => readonly VerifierKey[]

/** A key of an origin, for the events of the stream of checkpoints between two revisions, and for trees up to a size. */
type ChainedKey = {
  readonly key: VerifierKey
  readonly after: number
  readonly until: number
  readonly sizeMax: number
}

/**
 * The successive keys of each origin. One known key is enough to trust all: each rotation is signed by both keys. A key
 * counts only for what was signed between its rotations.
 */
export class KeyChain {
  readonly #keysOf: KeysOf
  readonly #chains = new Map<string, ChainedKey[]>()
  readonly #rotations: ReadonlyMap<number, RecordedRotation>

  constructor(keysOf: KeysOf, rotations: readonly RecordedRotation[], faults: AuditFaults) {
    this.#keysOf = keysOf
    this.#rotations = new Map(rotations.map((rotation) => [rotation.number, rotation]))
    for (const origin of new Set(rotations.map((rotation) => rotation.origin))) {
      const own = rotations.filter((rotation) => rotation.origin === origin)
      const fault = faultOf(own, keysOf(origin))
      if (fault === null) this.#chains.set(origin, chainOf(own))
      else faults.add(fault.what, { stream: CHECKPOINTS_STREAM, revision: fault.number })
    }
  }

  /** The keys that may have signed the checkpoint with this revision. */
  at(origin: string, revision: number): readonly VerifierKey[] {
    const chain = this.#chains.get(origin)
    if (!chain) return this.#keysOf(origin)
    return chain.filter(({ after, until }) => after < revision && revision < until).map(({ key }) => key)
  }

  /** The keys that may have signed a kept tree of this size. */
  forSize(origin: string, size: number): readonly VerifierKey[] {
    const chain = this.#chains.get(origin)
    if (!chain) return this.#keysOf(origin)
    return chain.filter(({ sizeMax }) => size <= sizeMax).map(({ key }) => key)
  }

  /** The rotation in the log's tables at this revision. */
  rotationAt(revision: number): RecordedRotation | undefined {
    return this.#rotations.get(revision)
  }
}

function faultOf(
  rotations: readonly RecordedRotation[],
  trusted: readonly VerifierKey[],
): { readonly what: string; readonly number: number } | null {
  let before: RecordedRotation | null = null
  for (const rotation of rotations) {
    const { number } = rotation
    try {
      verifyRotation(rotation, rotation.note)
    } catch (error) {
      return { what: `the rotation of the log's key is not signed: ${(error as Error).message}`, number }
    }
    if (before && before.newVkey !== rotation.oldVkey) {
      return { what: `the log's key was ${before.newVkey}, but ${rotation.oldVkey} names its successor`, number }
    }
    before = rotation
  }
  const isTrusted = chainOf(rotations).some(({ key }) => trusted.some((known) => isSame(known, key)))
  if (isTrusted || before === null) return null
  return { what: `none of the given keys is one that signed for ${before.origin}`, number: before.number }
}

function chainOf(rotations: readonly RecordedRotation[]): ChainedKey[] {
  const vkeys = [...rotations.slice(0, 1).map(({ oldVkey }) => oldVkey), ...rotations.map(({ newVkey }) => newVkey)]
  return vkeys.map((vkey, at) => ({
    key: parseVerifierKey(vkey),
    after: rotations[at - 1]?.number ?? -1,
    until: rotations[at]?.number ?? Number.POSITIVE_INFINITY,
    sizeMax: rotations[at]?.size ?? Number.POSITIVE_INFINITY,
  }))
}

const isSame = (a: VerifierKey, b: VerifierKey): boolean => a.name === b.name && a.publicKey.equals(b.publicKey)

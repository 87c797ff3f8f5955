import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '../../../capabilities/transparency/canonicalJson.ts'
import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import { type Hash, sha256 } from '../../../capabilities/transparency/hashes.ts'
import type { Position } from '../../../contracts/position.ts'
import type { LedgerState } from '../../../domain/ledger/decider.ts'
import { writePrivateFile } from '../../../platform/files/atomicFile.ts'

const hash = z.base64().length(44)
const count = z.int().nonnegative()
const micros = z.string().regex(/^-?\d+$/)

const companyState = z.strictObject({
  /** How many entries were verified, and the last of them. */
  number: count,
  previous: hash.nullable(),
  /** The place of the last of their events; -1 and '' before the first. */
  revision: z.int().min(-1),
  position: z.string(),
  /** The sum of the events. */
  sums: z.strictObject({
    grantsMicros: micros,
    chargesMicros: micros,
    reversalsMicros: micros,
    refundsMicros: micros,
    adjustmentsMicros: micros,
    settlementsMicros: micros,
    // Absent in files of earlier versions, whose ledgers had no such events.
    expiriesMicros: micros.optional(),
    withdrawalsMicros: micros.optional(),
    reinstatementsMicros: micros.optional(),
  }),
})

const savedState = z.strictObject({
  version: z.literal(1),
  /** A restore changes revisions and positions, and this. */
  storeId: z.string(),
  /** The tree that was verified. */
  size: count,
  root: hash,
  /** The hashes of its right edge, from which the next audit continues without the tiles of the database. */
  edge: z.array(z.strictObject({ level: count, index: count, hashes: z.base64() })),
  /** The last verified checkpoint, and how many events its stream had. */
  checkpoint: z.string().nullable(),
  checkpointEvents: count,
  verifiedAt: z.string(),
  companies: z.record(z.uuid(), companyState),
})

const stateFile = z.strictObject({ state: savedState, sha256: hash })

export type CompanyState = Omit<z.infer<typeof companyState>, 'position' | 'sums'> & {
  readonly position: Position
  readonly sums: LedgerState
}
export type AuditState = Omit<z.infer<typeof savedState>, 'companies'> & {
  readonly companies: ReadonlyMap<string, CompanyState>
}

/** null if there is no such file yet. Throws if it is damaged: an audit must not continue from a wrong place. */
export async function readState(file: string): Promise<AuditState | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const damaged = (why: string) =>
    new Error(`${file} is damaged (${why}): take back a copy of it, or audit everything again with --full`)
  let parsed: z.infer<typeof stateFile>
  try {
    parsed = stateFile.parse(JSON.parse(text))
  } catch {
    throw damaged('it is not what an audit writes')
  }
  const { state } = parsed
  if (digestOf(state) !== parsed.sha256) throw damaged('its SHA-256 does not fit')
  const tree = treeOf(state)
  if (Buffer.from(tree.root()).toString('base64') !== state.root) throw damaged('its root does not fit its hashes')
  const companies = Object.entries(state.companies).map(([companyId, { sums, position, ...rest }]) => {
    const company: CompanyState = { ...rest, position: position as Position, sums: bigSums(sums) }
    return [companyId, company] as const
  })
  return { ...state, companies: new Map(companies) }
}

export async function writeState(file: string, { companies, ...rest }: AuditState): Promise<void> {
  const saved = Object.fromEntries(
    [...companies].map(([id, { sums, ...company }]) => [id, { ...company, sums: textSums(sums) }]),
  )
  const state: z.infer<typeof savedState> = { ...rest, companies: saved }
  // An auditor's machine need not have the data folder of an installation.
  await mkdir(dirname(file), { recursive: true })
  await writePrivateFile(file, { state, sha256: digestOf(state) })
}

/** The tree as it was verified, to be continued. */
export function treeOf({ size, edge }: Pick<AuditState, 'size' | 'edge'>): GrowingTree {
  return GrowingTree.resume(
    size,
    edge.map(({ hashes, ...name }) => ({ ...name, hashes: Buffer.from(hashes, 'base64') })),
  )
}

export function edgeOf(tree: GrowingTree): AuditState['edge'] {
  return tree.partialTiles().map(({ hashes, ...name }) => ({ ...name, hashes: base64(hashes) }))
}

export const base64 = (bytes: Hash): string => Buffer.from(bytes).toString('base64')

/** Distinguishes a damaged file from an intact one. Nothing protects it from a person who can write to it. */
const digestOf = (state: z.infer<typeof savedState>): string => base64(sha256(canonicalJson(state)))

function textSums(sums: LedgerState) {
  return {
    grantsMicros: String(sums.grantsMicros),
    chargesMicros: String(sums.chargesMicros),
    reversalsMicros: String(sums.reversalsMicros),
    refundsMicros: String(sums.refundsMicros),
    adjustmentsMicros: String(sums.adjustmentsMicros),
    settlementsMicros: String(sums.settlementsMicros),
    expiriesMicros: String(sums.expiriesMicros),
    withdrawalsMicros: String(sums.withdrawalsMicros),
    reinstatementsMicros: String(sums.reinstatementsMicros),
  }
}

function bigSums(sums: z.infer<typeof companyState>['sums']): LedgerState {
  return {
    grantsMicros: BigInt(sums.grantsMicros),
    chargesMicros: BigInt(sums.chargesMicros),
    reversalsMicros: BigInt(sums.reversalsMicros),
    refundsMicros: BigInt(sums.refundsMicros),
    adjustmentsMicros: BigInt(sums.adjustmentsMicros),
    settlementsMicros: BigInt(sums.settlementsMicros),
    expiriesMicros: BigInt(sums.expiriesMicros ?? 0),
    withdrawalsMicros: BigInt(sums.withdrawalsMicros ?? 0),
    reinstatementsMicros: BigInt(sums.reinstatementsMicros ?? 0),
  }
}

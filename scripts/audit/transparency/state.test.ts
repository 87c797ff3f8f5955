import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import { leafHash, sha256 } from '../../../capabilities/transparency/hashes.ts'
import type { Position } from '../../../contracts/position.ts'
import { ledgerDecider } from '../../../domain/ledger/decider.ts'
import { type AuditState, base64, edgeOf, readState, treeOf, writeState } from './state.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-audit-state-'))
})
afterAll(() => rm(folder, { recursive: true }))

function aState(): AuditState {
  const tree = new GrowingTree()
  for (let n = 0; n < 300; n++) tree.append(leafHash(sha256(`entry ${n}`)))
  const company = {
    number: 300,
    previous: base64(sha256('entry 299')),
    revision: 299,
    position: '0000000000000300' as Position,
    sums: { ...ledgerDecider.initialState(), grantsMicros: 10n ** 20n, adjustmentsMicros: -5n },
  }
  return {
    version: 1,
    storeId: 'a store',
    size: 300,
    root: base64(tree.root()),
    edge: edgeOf(tree),
    checkpoint: null,
    checkpointEvents: 2,
    verifiedAt: '2026-03-01T10:00:00.000Z',
    companies: new Map([['11111111-1111-4111-8111-111111111111', company]]),
  }
}

test('what was verified is read back as written, and its tree can be continued', async () => {
  const file = join(folder, 'new', 'kept.json')
  await writeState(file, aState())
  const read = await readState(file)
  expect(read).toEqual(aState())
  expect(read && base64(treeOf(read).root())).toBe(aState().root)
})

test('there is no state before the first audit', async () => {
  expect(await readState(join(folder, 'none.json'))).toBeNull()
})

test.for([
  ['a sum that was edited', (text: string) => text.replace('100000000000000000000', '100000000000000000001')],
  ['a file that was cut', (text: string) => text.slice(0, 100)],
  ['another document', () => '{"companyId": 1}'],
] as const)('%s is refused', async ([, spoil]) => {
  const file = join(folder, 'spoiled.json')
  await writeState(file, aState())
  await writeFile(file, spoil(await readFile(file, 'utf8')))
  await expect(readState(file)).rejects.toThrow(`${file} is damaged`)
})

test('a root that does not match its hashes is refused', async () => {
  const file = join(folder, 'root.json')
  await writeState(file, { ...aState(), root: base64(sha256('another')) })
  await expect(readState(file)).rejects.toThrow('its root does not fit its hashes')
})

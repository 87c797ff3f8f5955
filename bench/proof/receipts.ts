import type { Installation } from '../../capabilities/installation.ts'
import { ReceiptReader } from '../../capabilities/transparency/receiptReader.ts'
import { TransparencyLog } from '../../capabilities/transparency/transparencyLog.ts'
import { check } from '../../check/check.mjs'
import { openLog } from '../../platform/logger/logger.ts'
import { atMost, type Figure, median, ratioFigure } from '../figure.ts'
import { VKEY } from './sealedTransparencyLog.ts'

const WARM_UP = 300
const SAMPLES = 2_000
const RATIO_MAX = 10

/** The time of a receipt of any entry, compared with a lookup of a row by its primary key, in turn. */
export async function benchReceipts(
  { database, storeAsWritten: store }: Installation,
  entries: number,
): Promise<Figure> {
  const { log } = openLog({ level: 'silent', file: null })
  const receipts = new ReceiptReader({ database, store, readTiles: new TransparencyLog(database).readTiles, log })
  const lookUp = (index: number) =>
    database.query<{ companyId: string; eventId: string }>('select * from ledger_log.entries where index = $1', [index])
  const [lookUps, reads]: [number[], number[]] = [[], []]
  for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
    // One row says which receipt is requested, another is looked up, so that neither is cached because of the other.
    const [entry] = await lookUp(Math.floor(Math.random() * entries))
    const lookUpMs = await elapsedMs(() => lookUp(Math.floor(Math.random() * entries)))
    const readMs = await elapsedMs(() => receipts.read(entry?.companyId ?? '', entry?.eventId ?? ''))
    if (sample < 0) continue
    lookUps.push(lookUpMs)
    reads.push(readMs)
  }
  await requireVerified(receipts, await lookUp(entries >> 1))
  const name = `a receipt at ${entries.toLocaleString('en')} entries, p50, to a look-up by primary key`
  return atMost(ratioFigure(name, 'ms', median(reads), median(lookUps)), RATIO_MAX)
}

/** The measurement would be meaningless if the receipts were wrong. */
async function requireVerified(
  receipts: ReceiptReader,
  [row]: readonly { readonly companyId: string; readonly eventId: string }[],
): Promise<void> {
  const receipt = await receipts.read(row?.companyId ?? '', row?.eventId ?? '')
  const { ok } = await check(JSON.stringify(receipt), { vkeys: [VKEY] })
  if (!ok) throw new Error('a receipt of the benchmark is not verified')
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

import type { Runtime } from '../../capabilities/installation.ts'
import { ReceiptReader } from '../../capabilities/transparency/receiptReader.ts'
import { TransparencyLog } from '../../capabilities/transparency/transparencyLog.ts'
import { streamName } from '../../contracts/streams.ts'
import { callOf } from '../../projections/calls/queries.ts'
import { activeJobs } from '../../projections/jobs/queries.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { usage } from '../../projections/usage/projection.ts'
import { usageByGroup } from '../../projections/usage/queries.ts'
import { usageByLabel } from '../../projections/usageByLabel/projection.ts'
import type { BackgroundWork } from './backgroundWork.ts'
import type { GatewayDependencies } from './dependencies.ts'

/** How long /usage waits for the records of failed calls. */
const RECORDS_WAIT_MS = 2_000

type ReadModelReads = Pick<GatewayDependencies, 'readUsage' | 'readCall' | 'readReceipt' | 'readJobs'>

/** What routes read from the database. Inference routes do not. */
export function readModelReads({ engines, clock, log }: Runtime, background: BackgroundWork): ReadModelReads {
  const { database, store, feed } = engines
  const receipts = new ReceiptReader({
    database,
    store: engines.storeAsWritten,
    readTiles: new TransparencyLog(database).readTiles,
    log,
  })
  /** Waits until the read model includes the company's last call, so that a caller finds the call it has just made. */
  const caughtUp = async (model: string, companyId: string) => {
    await background.settled(RECORDS_WAIT_MS)
    const stream = streamName('ledger', companyId)
    for await (const last of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
      await hasPassed(database, model, last.position, clock, feed.partitionOf(stream))
    }
  }
  return {
    readUsage: async (query) => {
      for (const model of query.groupBy.includes('label') ? [usage, usageByLabel] : [usage]) {
        await caughtUp(model.name, query.companyId)
      }
      return usageByGroup(database, query)
    },
    readCall: async (companyId, callId) => {
      const known = await callOf(database, companyId, callId)
      if (known) return known
      await caughtUp('calls', companyId)
      return callOf(database, companyId, callId)
    },
    readReceipt: (companyId, eventId, options) => receipts.read(companyId, eventId, options),
    readJobs: (companyId, limit, after) => activeJobs(database, companyId, limit, after),
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../../platform/clock/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { openStore } from '../../../platform/engines.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { openDatabase } from '../../../platform/postgres/database.ts'
import { auditWholePart } from './part.ts'
import type { PartAnswer, PartTask } from './partThreads.ts'

/** The program of the threads that audit parts of ledgers. */
const { databaseUrl } = workerData as { readonly databaseUrl: string }
const { log } = openLog({ level: 'silent', file: null })
const database = openDatabase({ url: databaseUrl })
const storeAsWritten = await openStore(readConfig(process.env), database, { clock: systemClock, ids: systemIds, log })

parentPort?.on('message', async (task: PartTask) => parentPort?.postMessage(await answer(task)))

async function answer({ id, part, bounds }: PartTask): Promise<PartAnswer> {
  try {
    return { id, audited: await auditWholePart({ database, storeAsWritten }, bounds, part) }
  } catch (error) {
    return { id, error: error as Error }
  }
}

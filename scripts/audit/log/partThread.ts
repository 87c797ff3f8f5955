import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../../services/platform/clock/clock.ts'
import { readConfig } from '../../../services/platform/config/config.ts'
import { openStore } from '../../../services/platform/engines.ts'
import { systemIds } from '../../../services/platform/ids/ids.ts'
import { openLog } from '../../../services/platform/log/log.ts'
import { openDatabase } from '../../../services/platform/postgres/database.ts'
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

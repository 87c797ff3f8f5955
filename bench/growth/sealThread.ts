import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { openRuntime } from '../../capabilities/installation.ts'
import { openSigningKeys } from '../../capabilities/transparency/signingKeys.ts'
import { readConfig } from '../../platform/config/config.ts'
import { sealUntil } from '../proof/sealedTransparencyLog.ts'
import { GROWTH_SETTINGS } from './pastInstallation.ts'
import type { SealReport, SealTask } from './sealBeside.ts'

/** The thread of `sealBeside`: reports the size of the log, and ends when told to or when everything is sealed. */
const { dataDir, databaseUrl, entries } = workerData as SealTask
const report = (message: SealReport) => parentPort?.postMessage(message)
let isToEnd = false
parentPort?.on('message', () => {
  isToEnd = true
})
const config = readConfig({ DATA_DIR: dataDir, ...GROWTH_SETTINGS })
const logFile = join(dataDir, 'bench-sealer.log')
const runtime = await openRuntime({ config, database: databaseUrl, log: logFile, name: 'bench-sealer' })
try {
  const goesOn = (size: number) => {
    report({ size })
    return !isToEnd
  }
  const keys = await openSigningKeys(config)
  report({ isSealed: await sealUntil(runtime.engines, { entries, signed: true }, { keys, goesOn }) })
} finally {
  await runtime.close()
  parentPort?.close()
}

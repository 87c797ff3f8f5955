import { openInstallation } from '../../capabilities/installation.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { startSealer } from '../../services/reactor/sealer/sealer.ts'
import { BENCH_SIGNING_KEYS } from '../proof/sealedTransparencyLog.ts'

/** Seals the ledger of one installation until it is ended. */
const [databaseUrl = ''] = process.argv.slice(2)
const { log } = openLog({ level: 'warn', file: null })
const config = readConfig({})
const engines = await openInstallation(config, databaseUrl, { clock: systemClock, ids: systemIds, log })
const metrics = createMetrics()
startSealer({ config, engines, keys: BENCH_SIGNING_KEYS, clock: systemClock, ids: systemIds, log, metrics })
process.send?.('ready')

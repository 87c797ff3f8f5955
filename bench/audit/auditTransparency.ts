import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { auditTransparency } from '../../scripts/audit/transparency/auditTransparency.ts'
import { PartThreads } from '../../scripts/audit/transparency/partThreads.ts'
import { readState, writeState } from '../../scripts/audit/transparency/state.ts'
import { withInstallation } from '../../scripts/cli/withInstallation.ts'
import { printMeasured } from './measured.ts'
import { BENCH_KEY } from './sealedLedgers.ts'

/** The verified state is kept in this file, so that a second run with it reads nothing again. */
const [stateFile = ''] = process.argv.slice(2)

await withInstallation((engines) =>
  printMeasured(async () => {
    const state = await readState(stateFile)
    const now = isoTime(systemClock.now())
    const threads = new PartThreads(engines.database.url)
    const options = { keysOf: () => [BENCH_KEY], state, isFull: false, held: [], now, parts: threads.options }
    const audit = await auditTransparency(engines, options).finally(() => threads.close())
    if (!audit.state) throw new Error(`the audit found ${JSON.stringify(audit.faults.named)}`)
    await writeState(stateFile, audit.state)
  }),
)

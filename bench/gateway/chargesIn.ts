import { openInstallation } from '../../capabilities/installation.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'

/** The charged calls on the ledgers of an installation. */
export async function chargesIn(config: Config, databaseUrl: string): Promise<number> {
  const { log } = openLog({ level: 'silent', file: null })
  const engines = await openInstallation(config, databaseUrl, { clock: systemClock, ids: systemIds, log })
  try {
    let count = 0
    for (let after = BEGINNING; ; ) {
      const page = await engines.store.readAll({ after, categories: ['ledger'], limit: READ_PAGE_EVENTS_MAX })
      if (page.position === after) return count
      after = page.position
      for (const { type } of page.events) if (type === 'CallCharged') count++
    }
  } finally {
    await engines.close()
  }
}

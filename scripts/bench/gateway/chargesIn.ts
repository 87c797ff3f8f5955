import { BEGINNING } from '../../../contracts/position.ts'
import { systemClock } from '../../../services/platform/clock/clock.ts'
import type { Config } from '../../../services/platform/config/config.ts'
import { openEngines } from '../../../services/platform/engines.ts'
import { READ_PAGE_EVENTS_MAX } from '../../../services/platform/eventStore/storeLimits.ts'
import { systemIds } from '../../../services/platform/ids/ids.ts'
import { openLog } from '../../../services/platform/log/log.ts'

/** Calls that are charged on the ledgers of an installation. */
export async function chargesIn(config: Config, databaseUrl: string): Promise<number> {
  const { log } = openLog({ level: 'silent', file: null })
  const engines = await openEngines(config, databaseUrl, { clock: systemClock, ids: systemIds, log })
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

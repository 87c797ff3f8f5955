import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { anchors } from './anchors.ts'
import { creditLots } from './creditLots.ts'
import { happenings } from './happenings.ts'
import { invoices } from './invoices.ts'
import { ledger } from './ledger.ts'
import { operator } from './operator.ts'
import { payments } from './payments.ts'
import { readModels } from './readModels.ts'
import { sealedLog } from './sealedLog.ts'

/** What must hold in every world with a database. `logKey` is the key of the log, as its readers have it. */
export function databaseCheckers(simulation: Simulation, logKey: string): Checker[] {
  return [
    sealedLog(simulation, logKey),
    ledger(simulation),
    creditLots(simulation),
    anchors(simulation),
    readModels(simulation),
    payments(simulation),
    invoices(simulation),
    operator(simulation),
    happenings(simulation),
  ]
}

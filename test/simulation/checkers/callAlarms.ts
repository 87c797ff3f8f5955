import type { ExpectedAlarm } from '../alarms.ts'
import type { FaultKind } from '../faults/faultPlan.ts'

const APPENDS: readonly FaultKind[] = [
  'append is stored and its answer lost',
  'append is refused',
  'append is late',
  'store is silent',
]
const SHARED_STATE: readonly FaultKind[] = ['shared state is silent', 'shared state fails']

/** Error lines of gateways that faults of a world without a database may cause. */
export const CALL_ALARMS: readonly ExpectedAlarm[] = [
  { message: /^charge could not be stored$/, causes: APPENDS },
  { message: /^failed call could not be recorded$/, causes: APPENDS },
  { message: /^charge of a kept answer could not be stored$/, causes: APPENDS },
  {
    message: /^ledger could not be searched for the charge of a kept answer$/,
    causes: ['store is silent', 'store falls silent with its answer'],
  },
  { message: /^answer could not be stored for its Idempotency-Key$/, causes: SHARED_STATE },
  { message: /^request failed$/, causes: SHARED_STATE },
  { message: /^provider refuses our calls/, causes: ['provider refuses'] },
]

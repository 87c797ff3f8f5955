import { type Check, check } from '../engines/enginesVerdict.ts'

/** The first call with a key that was just minted. */
export type FirstCall = { readonly status: number; readonly ms: number; readonly gateway: number }

export function judgeFirstCalls(engines: string, calls: readonly FirstCall[], pairs: number): Check {
  const refused = new Map<number, number>()
  for (const { status } of calls) if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1)
  const faults = [...refused].map(([status, count]) => `${count} of ${calls.length} were answered ${status}`)
  if (calls.length !== pairs) faults.push(`${calls.length} calls were made, not ${pairs}`)
  return check(`${engines}: no first call is refused`, faults, `${calls.length} keys`)
}

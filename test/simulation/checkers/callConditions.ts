import type { Calls } from '../load/calls.ts'
import type { MemoryInstallation } from '../store/memoryInstallation.ts'
import type { Condition } from '../world.ts'

/** What gateways without a database have settled when it is quiet. */
export function callConditions(installation: MemoryInstallation, calls: Calls, gateways: number): readonly Condition[] {
  const { sharedState } = installation
  return [
    {
      name: 'every call has ended',
      missing: () => (calls.pending === 0 ? null : `${calls.pending} callers wait`),
    },
    {
      name: 'every gateway serves',
      missing: () => (calls.recovered.size === gateways ? null : `only ${[...calls.recovered].join()} answered a call`),
    },
    {
      name: 'no hold remains',
      missing: () => {
        const { companies, leases } = sharedState.holds
        // The holds of a gateway that died stay until its company calls again.
        const living = [...companies.values()]
          .flatMap(({ holds }) => [...holds].map(([id, held]) => ({ id, ...held })))
          .filter(({ owner }) => (leases.get(owner) ?? 0) > installation.nowMs)
        return living.length === 0 ? null : `${living.length} holds remain, such as ${living[0]?.id}`
      },
    },
    {
      name: 'no claim waits',
      missing: () => {
        const waiting = [...sharedState.claims.values()].filter(
          ({ settled, leasedToMs }) => !settled && leasedToMs > installation.nowMs,
        )
        return waiting.length === 0 ? null : `${waiting.length} claims wait`
      },
    },
  ]
}

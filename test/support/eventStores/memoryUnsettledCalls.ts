import type { UnsettledCall, UnsettledCalls } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'

/** Unsettled calls without a disk. */
export class MemoryUnsettledCalls implements Pick<UnsettledCalls, 'record' | 'remove' | 'list'> {
  readonly recorded = new Map<string, UnsettledCall>()

  async record(unsettled: UnsettledCall): Promise<void> {
    this.recorded.set(unsettled.call.callId, unsettled)
  }

  async remove(callId: string): Promise<void> {
    this.recorded.delete(callId)
  }

  async list() {
    const recordedAt = '2026-01-01T00:00:00.000Z'
    const calls = [...this.recorded.values()].map((unsettled) => ({ version: 2 as const, ...unsettled, recordedAt }))
    return { calls, damaged: [] }
  }
}

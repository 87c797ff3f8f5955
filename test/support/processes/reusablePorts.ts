import { randomInt } from 'node:crypto'
import { takenPort } from '../../../scripts/kafka/cluster.ts'

// Below the range that Linux, macOS and Windows give to outgoing connections, and above the usual servers.
const lowest = 20_000
const highest = 32_000
const triesMax = 100
/** Tests that run at the same time choose from slices of their own: a port is free for seconds before its server binds it. */
const slices = 8
const sliceSize = Math.floor((highest - lowest) / slices)
const sliceStart = lowest + (Number(process.env.VITEST_POOL_ID ?? process.pid) % slices) * sliceSize
const handedOut = new Set<number>()

/**
 * Ports that a server can release and bind again, for installations that are killed and restarted. A port that the
 * system hands out may be taken in between as the local end of an outgoing connection.
 */
export async function reusablePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  for (let tries = 0; tries < triesMax && ports.size < count; tries += 1) {
    const port = sliceStart + randomInt(sliceSize)
    if (handedOut.has(port) || (await takenPort([port])) !== null) continue
    handedOut.add(port)
    ports.add(port)
  }
  if (ports.size < count) throw new Error(`no ${count} free ports from ${sliceStart} on`)
  return [...ports]
}

import { readdirSync } from 'node:fs'
import net from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { watchStalls } from '../../support/time/eventLoopStall.ts'

/** What the process under attack reports of itself. */
export type ProbeReading = {
  /** The most CPU time that its main thread spent in one turn of the event loop since the last reading. */
  readonly stallMs: number
  readonly rssPeakMb: number
  /** After a garbage collection, if the reading asked for one: the heap, and what lies outside of it. */
  readonly heldMb: number
  readonly descriptors: number
  /** Sockets of callers and of connections to others. */
  readonly sockets: number
}

const MB = 1024 * 1024

/** Answers each line on this socket with a reading; the line `gc` collects garbage first. */
export function serveProbe(socketPath: string): void {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const stalls = watchStalls()
  const read = (): ProbeReading => {
    const { cpuMs } = stalls.longest()
    stalls.reset()
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    return {
      stallMs: cpuMs,
      rssPeakMb: process.resourceUsage().maxRSS / 1024,
      heldMb: (heapUsed + Math.max(external, arrayBuffers)) / MB,
      descriptors: descriptorCount(),
      sockets: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length,
    }
  }
  const server = net.createServer((client) => {
    client.on('error', () => {})
    client.on('data', (line) => {
      if (String(line).startsWith('gc')) {
        // The second one frees what finalizers of the first released.
        collectGarbage()
        collectGarbage()
        stalls.reset()
      }
      client.write(`${JSON.stringify(read())}\n`)
    })
  })
  server.listen(socketPath)
  server.unref()
}

function descriptorCount(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

import { once } from 'node:events'
import net from 'node:net'
import { createInterface } from 'node:readline'
import type { ProbeReading } from './probe.ts'

export type ProbeClient = {
  /** Rejects if the process has ended. */
  read(options?: { readonly collectGarbage?: boolean }): Promise<ProbeReading>
  close(): void
}

type Waiting = { resolve(reading: ProbeReading): void; reject(error: Error): void }

/** Asks the process under attack about itself. */
export async function connectProbe(socketPath: string): Promise<ProbeClient> {
  const socket = net.connect(socketPath)
  await once(socket, 'connect')
  const waiting: Waiting[] = []
  let hasEnded = false
  socket.on('error', () => {})
  createInterface(socket).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)))
  socket.once('close', () => {
    hasEnded = true
    for (const { reject } of waiting.splice(0)) reject(new Error('the process under attack has ended'))
  })
  return {
    read: ({ collectGarbage = false } = {}) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(new Error('the process under attack has ended'))
        waiting.push({ resolve, reject })
        socket.write(collectGarbage ? 'gc\n' : 'read\n')
      }),
    close: () => void socket.destroy(),
  }
}

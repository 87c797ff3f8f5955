import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from './dataFolder.ts'

const pollMs = 50
// Slightly more than the longest normal start.
const waitMsMax = 150_000
const hasAbstractNames = process.platform === 'linux'

/**
 * Serializes starts on one data folder: to a second start, the cluster that a first one is creating would look like the
 * leftovers of a crash. The lock is the name of a socket, which the system releases when the process ends. Returns a
 * function that releases it.
 */
export async function takeTurn(folder: string, signal?: AbortSignal): Promise<() => void> {
  const name = socketName(folder)
  const end = performance.now() + waitMsMax
  while (performance.now() < end) {
    signal?.throwIfAborted()
    const server = createServer().listen(name)
    try {
      await once(server, 'listening')
      server.unref()
      return () => void server.close()
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error
    }
    if (!hasAbstractNames && !(await isHeld(name))) await rm(name, { force: true })
    else await sleep(pollMs)
  }
  throw new Error(
    `The data folder ${folder} has been locked by another start for ${waitMsMax / 1000} s: stop that process first.`,
  )
}

// Linux has abstract socket names, which leave no file. Elsewhere the path must be short, so it is outside the data folder.
function socketName(folder: string): string {
  const name = `tollgate-start-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  return hasAbstractNames ? `\0${name}` : join(tmpdir(), name)
}

async function isHeld(name: string): Promise<boolean> {
  const socket = connect(name)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

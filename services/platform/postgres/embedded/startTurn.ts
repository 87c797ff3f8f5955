import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from './dataFolder.ts'

const pollMs = 50
// Somewhat more than the longest honest start.
const waitMsMax = 150_000
const hasAbstractNames = process.platform === 'linux'

/**
 * Starts on one data folder take turns until each knows whose server it is: to a second one, the cluster that a first is
 * just making looks like the remains of a crash. A turn is the name of a socket, which the system takes back when the
 * process ends, however it ends. Resolves with what ends the turn.
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
  throw new Error(`The data folder ${folder} has been starting for ${waitMsMax / 1000} s: end that process first.`)
}

// Linux has names without a file, which leave nothing behind. A file's path must be short, so it is not in the folder.
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

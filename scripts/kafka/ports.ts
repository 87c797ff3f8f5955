import { once } from 'node:events'
import { createServer } from 'node:net'

/** The first of these loopback ports that another program uses, or null. */
export async function takenPort(ports: readonly number[]): Promise<number | null> {
  for (const port of ports) if (!(await isFree(port))) return port
  return null
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}

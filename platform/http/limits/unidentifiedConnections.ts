import type { Server, Socket } from 'node:net'
import { networkOf } from './clientAddress.ts'

/** How many connections of unidentified callers one address may have. Identified ones do not count. */
export const UNIDENTIFIED_CONNECTIONS_PER_ADDRESS_MAX = 500

/** A property, because each request looks at it and weak maps cost more. */
const IDENTIFIED = Symbol('whose caller is identified')
const LEAVE = Symbol('leave the unidentified connections')
type Connection = Socket & { [IDENTIFIED]?: true; [LEAVE]?: (() => void) | undefined }

/** A request has identified its caller: the connection no longer counts for its address. */
export function markIdentified(socket: Connection): void {
  if (socket[IDENTIFIED]) return
  socket[IDENTIFIED] = true
  socket[LEAVE]?.()
}

export function isIdentified(socket: Connection): boolean {
  return socket[IDENTIFIED] === true
}

/**
 * Closes further connections of an address that has too many unidentified ones. Answering with a refusal takes ten
 * times as long as closing, and new connections are accepted in order: thousands of them would keep others waiting for
 * seconds. Not used behind a proxy, whose address all callers share.
 */
export function limitUnidentified(server: Server, perAddressMax = UNIDENTIFIED_CONNECTIONS_PER_ADDRESS_MAX): void {
  const counts = new Map<string, number>()
  // Added before the listener of the HTTP server, so that a closed connection gets no parser.
  server.prependListener('connection', (socket: Connection) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const count = (counts.get(network) ?? 0) + 1
    if (count > perAddressMax) {
      socket.destroy()
      return
    }
    counts.set(network, count)
    const leave = () => {
      if (socket[LEAVE] === undefined) return
      socket[LEAVE] = undefined
      const left = (counts.get(network) ?? 0) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    }
    socket[LEAVE] = leave
    socket.once('close', leave)
  })
}

import type { Server } from 'node:http'

/**
 * Closes connections on which nothing has moved for as long as their time-out says. After a stall of the process, timers run
 * before sockets are read: the next request of an idle connection may have arrived in time and wait to be read, and closing
 * the connection would cut it. So what has arrived is read first.
 */
export function closeSilent(server: Server): void {
  server.on('timeout', (socket) => {
    const { bytesRead } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy()
    })
  })
}

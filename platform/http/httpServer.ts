import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type net from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, systemClock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import { SettingError } from '../config/settingError.ts'
import { HalfClosed } from './halfClosed.ts'
import { RequestPace } from './limits/requestPace.ts'
import { RequestTurns } from './limits/requestTurns.ts'
import { limitUnidentified } from './limits/unidentifiedConnections.ts'

const REQUEST_HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
/** How often connections are checked for the two time-outs. All that are due are closed at once, so they must be few. */
const TIMEOUT_CHECK_MS = 100
/** Longer than proxies and clients keep theirs: the side that closes first may cut off a request that is being sent. */
const IDLE_CONNECTION_MS = 75_000
const IDLE_CONNECTION_GRACE_MS = 15_000
/** How many connections may wait to be accepted. Beyond it the system drops them, and a caller retries after a second. */
const CONNECTION_BACKLOG = 4_096

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void

export type HttpServer = {
  readonly url: string
  /**
   * Reports that it is not ready and keeps serving for `drainDelayMs`, then accepts no new connection, lets requests
   * finish, and closes the rest when the time is up.
   */
  drain(timeoutMs: number): Promise<void>
}

export type ListenOptions = {
  readonly handler: Handler
  readonly host: string
  readonly port: number
  /** The setting to name in the error when the port cannot be bound. */
  readonly portSetting: string
  readonly clock?: Clock
  /** How many proxies are in front of the server. Their connections are trusted; others are limited per network. */
  readonly trustedProxies?: number
  /** How long a load balancer may take to notice that this server is no longer ready. Default: 0. */
  readonly drainDelayMs?: number
  /** Binds the server to its address, and returns the port. Default: that of the operating system. */
  readonly bind?: Bind | undefined
  /** Takes over connections that ask for an upgrade, and closes them before the drain ends. */
  readonly onUpgrade?: (request: http.IncomingMessage, socket: Duplex, head: Buffer) => void
}

export type Bind = (server: Server, at: { readonly host: string; readonly port: number }) => Promise<number>

const bindSocket: Bind = (server, { host, port }) =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: CONNECTION_BACKLOG }, () =>
      resolve((server.address() as net.AddressInfo).port),
    )
  })

export async function listen({
  handler,
  host,
  port,
  portSetting,
  onUpgrade,
  trustedProxies = 0,
  drainDelayMs = 0,
  clock = systemClock,
  bind = bindSocket,
}: ListenOptions): Promise<HttpServer> {
  let draining = false
  let closing = false
  let active = 0
  let onIdle: () => void = () => {}
  const halfClosed = new HalfClosed(clock)
  const turns = new RequestTurns(trustedProxies === 0 ? new RequestPace(clock) : null)
  const server = http.createServer(
    {
      headersTimeout: REQUEST_HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      // Kept longer than the keep-alive header says, so that a slow caller does not find its connection just closed.
      keepAliveTimeoutBuffer: IDLE_CONNECTION_GRACE_MS,
      noDelay: true,
    },
    (request, response) => {
      active++
      turns.began(request)
      halfClosed.began(request, response)
      if (draining) response.setHeader('connection', 'close')
      response.once('close', () => {
        active--
        turns.ended(request)
        halfClosed.ended(request, response)
        if (!closing) return
        server.closeIdleConnections()
        if (active === 0) onIdle()
      })
      if (!answersProbe(request, response, draining)) handler(request, response)
    },
  )
  turns.keepOn(server)
  halfClosed.allowOn(server)
  closeSilent(server)
  if (trustedProxies === 0) limitUnidentified(server)
  if (onUpgrade) {
    server.on('upgrade', (request, socket, head) => onUpgrade(request, socket, turns.release(socket, head)))
  }
  const bound = await bind(server, { host, port }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, host, port, portSetting)
  })

  return {
    url: serviceUrl(host, bound),
    drain: async (timeoutMs) => {
      draining = true
      if (drainDelayMs > 0) await clock.delay(drainDelayMs)
      // Otherwise a request that has arrived but was not read yet would be lost with its connection. Sockets are read
      // once per turn of the event loop, and this turn may already be past that.
      await nextTurn()
      await nextTurn()
      closing = true
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      if (active > 0) {
        const { promise: idle, resolve } = Promise.withResolvers<void>()
        onIdle = resolve
        await settlesWithin(idle, timeoutMs, clock)
      }
      server.closeAllConnections()
      await closed
    },
  }
}

/** The URL for a client on this machine: a wildcard address is reached through loopback. */
export function serviceUrl(host: string, port: number): string {
  return `http://${urlHost(host)}:${port}`
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number, portSetting: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingError(
        `${portSetting}: port ${port} on ${host} is in use; stop the program that uses it or set another port`,
      )
    case 'EACCES':
      return new SettingError(`${portSetting}: port ${port} on ${host} needs more privileges than this user has`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingError(`HOST: ${host} is not an address of this machine`)
    default:
      return error
  }
}

/**
 * Closes connections that have been idle for as long as their time-out. After a stall of the process, timers run before
 * sockets are read: the next request of an idle connection may have arrived in time and not been read yet. So anything
 * that has arrived is read first.
 */
function closeSilent(server: Server): void {
  server.on('timeout', (socket) => {
    const { bytesRead } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy()
    })
  })
}

/**
 * Answers `/livez` and `/readyz`, which every service has for load balancers. They come before all routes, need no
 * credentials, count against no limit and check no dependency, because a load balancer must not take out every process
 * that shares one. False for any other request.
 */
function answersProbe({ method, url }: IncomingMessage, response: ServerResponse, isDraining: boolean): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (url !== '/livez' && url !== '/readyz') return false
  const isRefused = isDraining && url === '/readyz'
  const body = JSON.stringify({ status: isRefused ? 'draining' : 'ok' })
  response.writeHead(isRefused ? 503 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  })
  response.end(method === 'HEAD' ? undefined : body)
  return true
}

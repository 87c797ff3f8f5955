import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Runtime } from '../../../../capabilities/installation.ts'
import type { Clock } from '../../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../../platform/clock/within.ts'
import type { HttpError } from '../../../../platform/http/answer/httpError.ts'
import { tokenIn } from '../../../../platform/http/bearerToken.ts'
import { clientAddress } from '../../../../platform/http/limits/clientAddress.ts'
import { markIdentified } from '../../../../platform/http/limits/unidentifiedConnections.ts'
import { askingPage } from '../../askingPage.ts'
import { type Credentials, credentialsOf, tokenCredentials } from '../../credentials.ts'
import { holderOf } from '../../userGuard.ts'
import { type GraphqlApi, shownResult } from '../api.ts'
import { apiError } from '../apiError.ts'
import type { Arrival } from '../context.ts'
import { GRAPHQL_BODY_BYTES_MAX } from '../limits/bodyLimit.ts'
import { shownError } from '../maskError.ts'
import { userOf } from '../signIn/signIn.ts'
import { MessagePace } from './messagePace.ts'
import { type SocketPlace, SocketPlaces } from './socketPlaces.ts'

export const GRAPHQL_OPERATIONS_PER_SOCKET_MAX = 20
/** Bytes that may wait to be sent on one socket. */
const GRAPHQL_SOCKET_BUFFER_BYTES_MAX = 4 * 1024 * 1024
/** Frames of one message. */
const GRAPHQL_FRAGMENTS_MAX = 100
/** A socket that has shown neither a valid token nor a session by then is closed. */
export const GRAPHQL_CONNECT_MS = 3_000
/** How long a client has to answer that its socket is being closed. */
const GRAPHQL_CLOSE_MS = 1_000
const GRAPHQL_KEEP_ALIVE_MS = 12_000

export type GraphqlSockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Tells every client that this server is going away, and terminates sockets that do not close in time. */
  drain(timeoutMs: number): Promise<void>
}

type Extra = {
  readonly request: IncomingMessage
  readonly place: SocketPlace
  close(code: number, reason: string): void
}

const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013
const UNAUTHORIZED = 4401
const INTERNAL_ERROR = 4500

/** `/graphql` over WebSocket, as graphql-transport-ws: every operation, and the only way to logStream. */
export function graphqlSockets(api: GraphqlApi, runtime: Runtime): GraphqlSockets {
  const { config, clock, ids, log } = runtime
  const places = new SocketPlaces()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: GRAPHQL_BODY_BYTES_MAX,
    // Compression costs memory for each socket, and log lines are short.
    perMessageDeflate: false,
    // Otherwise all messages that were read at once are handled before anything else: thousands of small ones.
    allowSynchronousEvents: false,
    maxFragments: GRAPHQL_FRAGMENTS_MAX,
    // Pings are answered at the pace of messages.
    autoPong: false,
    handleProtocols,
  })
  const protocol = makeServer<Record<string, unknown> | undefined, Extra>({
    connectionInitWaitTimeout: GRAPHQL_CONNECT_MS,
    // Without a valid token a socket may still ask, as over HTTP, until its time to send one is over.
    onConnect: async ({ extra, connectionParams }) => {
      const user = await userOf(runtime, credentialsIn(extra.request, connectionParams, runtime))
      if (user !== null) markIdentified(extra.request.socket)
      if (user === null || extra.place.identify(holderOf(user))) return true
      extra.close(TRY_AGAIN_LATER, 'Too many sockets of this company')
      return false
    },
    // Returns what to execute, with the same limits, context and errors as over HTTP.
    onSubscribe: async ({ extra, connectionParams, subscriptions }, _id, { query, operationName, variables }) => {
      const arrival = arrivalOf(extra.request, connectionParams, runtime)
      try {
        const operationsMax = extra.place.isIdentified ? GRAPHQL_OPERATIONS_PER_SOCKET_MAX : 1
        if (Object.keys(subscriptions).length > operationsMax) {
          throw apiError('RATE_LIMITED', `a socket carries ${operationsMax} operations at a time`)
        }
        const enveloped = api.getEnveloped({ arrival })
        const document = enveloped.parse(query)
        const faults: readonly GraphQLError[] = enveloped.validate(enveloped.schema, document)
        if (faults.length > 0) return faults.map((fault) => shownError(fault, arrival.correlationId, log))
        const contextValue = await enveloped.contextFactory()
        const operation = { schema: enveloped.schema, document, operationName, variableValues: variables }
        return { ...operation, contextValue, rootValue: { enveloped, arrival } }
      } catch (error) {
        // An error in one message must not end the other operations of the socket.
        return [shownError(error, arrival.correlationId, log)]
      }
    },
    execute: (args) => carried(args).enveloped.execute(args) as Promise<ExecutionResult>,
    subscribe: (args) => carried(args).enveloped.subscribe(args) as Promise<AsyncIterableIterator<ExecutionResult>>,
    onNext: (_context, _id, _payload, args, result) => {
      const shown = shownResult(result as ExecutionResult, carried(args).arrival, runtime)
      return { ...shown, errors: shown.errors?.map((error) => error.toJSON()) }
    },
    // graphql-ws wraps the error that ends a subscription.
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) => shownError(asGraphqlError(error), ids.uuid(), log).toJSON()),
  })

  const connect = (socket: WebSocket, request: IncomingMessage, place: SocketPlace) => {
    socket.on('error', (error) => log.debug({ err: error }, 'GraphQL socket failed'))
    const close = (code: number, reason: string) => closeSoon(socket, code, reason, clock)
    place.whenEvicted(({ message }) => close(TRY_AGAIN_LATER, message))
    const stopBeating = keepAlive(socket, clock)
    const pace = new MessagePace({
      socket,
      clock,
      isIdentified: () => place.isIdentified,
      onExcess: () => close(TRY_AGAIN_LATER, 'Too many messages'),
    })
    request.socket.on('data', (chunk: Buffer) => pace.read(chunk.length))
    socket.on('ping', (data) => pace.take(() => socket.pong(data)))
    socket.on('pong', () => pace.take(() => {}))
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => sent(socket, text),
        close,
        onMessage: (handle) => {
          const handleLogged = (data: RawData) =>
            void handle(String(data)).catch((error: unknown) => {
              log.debug({ err: error }, 'message over a GraphQL socket failed')
              close(INTERNAL_ERROR, 'Internal server error')
            })
          socket.on('message', (data) => pace.take(() => handleLogged(data)))
        },
      },
      { request, place, close },
    )
    const signIn = clock.after(GRAPHQL_CONNECT_MS, () => {
      if (!place.isIdentified) close(UNAUTHORIZED, 'Unauthorized')
    })
    socket.once('close', (code, reason) => {
      signIn.cancel()
      stopBeating()
      pace.stop()
      closed(code, String(reason)).catch((error: unknown) =>
        log.warn({ err: error }, 'GraphQL socket did not close cleanly'),
      )
    })
  }

  return {
    upgrade: (request, socket, head) => {
      if ((request.url ?? '/').split('?', 1)[0] !== '/graphql') return refuseUpgrade(socket, 404)
      // Browsers let any page open a socket to any server, with its cookies.
      if (askingPage(request, config) === 'foreign') return refuseUpgrade(socket, 403)
      let place: SocketPlace
      try {
        place = places.enter(clientAddress(request, config.TRUST_PROXY))
      } catch (refusal) {
        return refuseUpgrade(socket, (refusal as HttpError).status)
      }
      socket.once('close', () => place.leave())
      server.handleUpgrade(request, socket, head, (opened) => connect(opened, request, place))
    },
    drain: async (timeoutMs) => {
      server.close()
      const open = [...server.clients]
      const ends = open.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))
      for (const socket of open) socket.close(GOING_AWAY, 'Going away')
      if (await settlesWithin(Promise.all(ends), timeoutMs, clock)) return
      for (const socket of open) socket.terminate()
      await Promise.all(ends)
    },
  }
}

/**
 * Resolves when the text has left this process, so that a slow reader is sent no more until then; also if its connection is
 * gone, which is no failure of the operation and could fill the log.
 */
export function sent(
  socket: Pick<WebSocket, 'bufferedAmount' | 'close' | 'send' | 'readyState' | 'OPEN'>,
  text: string,
) {
  if (socket.bufferedAmount > GRAPHQL_SOCKET_BUFFER_BYTES_MAX) {
    socket.close(TRY_AGAIN_LATER, 'Too much is waiting to be sent')
  }
  return new Promise<void>((resolve) => {
    if (socket.readyState !== socket.OPEN) resolve()
    else socket.send(text, () => resolve())
  })
}

/** Terminates a socket whose peer no longer answers pings. */
function keepAlive(socket: WebSocket, clock: Clock): () => void {
  let answered = true
  socket.on('pong', () => {
    answered = true
  })
  const timer = clock.every(GRAPHQL_KEEP_ALIVE_MS, () => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  })
  return () => timer.cancel()
}

function arrivalOf(
  request: IncomingMessage,
  params: Readonly<Record<string, unknown>> | undefined,
  { config, ids }: Pick<Runtime, 'config' | 'ids'>,
): Arrival {
  return {
    transport: 'websocket',
    clientAddress: clientAddress(request, config.TRUST_PROXY),
    correlationId: ids.uuid(),
    credentials: credentialsIn(request, params, { config }),
  }
}

/** Browsers cannot set a header, so the token may also come in the connection parameters. */
function credentialsIn(
  request: IncomingMessage,
  params: Readonly<Record<string, unknown>> | undefined,
  { config }: Pick<Runtime, 'config'>,
): Credentials | null {
  const given = params?.authorization ?? params?.Authorization
  return typeof given === 'string' ? tokenCredentials(tokenIn(given)) : credentialsOf(request, config)
}

type Carried = { readonly enveloped: ReturnType<GraphqlApi['getEnveloped']>; readonly arrival: Arrival }

function carried({ rootValue }: ExecutionArgs): Carried {
  return rootValue as Carried
}

function asGraphqlError(error: unknown): unknown {
  return error instanceof GraphQLError ? error : new GraphQLError((error as { message: string }).message)
}

/** Closes a socket, even if its client does not answer. */
function closeSoon(socket: WebSocket, code: number, reason: string, clock: Clock): void {
  socket.close(code, reason)
  const timer = clock.after(GRAPHQL_CLOSE_MS, () => socket.terminate())
  socket.once('close', () => timer.cancel())
}

function refuseUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => {})
  socket.once('finish', () => socket.destroy())
  const retry = status < 429 ? '' : 'retry-after: 1\r\n'
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retry}connection: close\r\ncontent-length: 0\r\n\r\n`)
}

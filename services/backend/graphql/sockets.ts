import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { bearerToken, tokenIn } from '../../platform/http/bearerToken.ts'
import { clientAddress } from '../../platform/http/clientAddress.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { type GraphqlApi, shownResult } from './api.ts'
import { apiError } from './apiError.ts'
import { GRAPHQL_BODY_BYTES_MAX } from './bodyLimit.ts'
import type { Arrival } from './context.ts'
import { shownError } from './maskError.ts'

const GRAPHQL_SOCKETS_MAX = 200
export const GRAPHQL_OPERATIONS_PER_SOCKET_MAX = 20
/** Bytes that may wait to be sent on one socket. */
const GRAPHQL_SOCKET_BUFFER_BYTES_MAX = 4 * 1024 * 1024
const GRAPHQL_CONNECT_MS = 3_000
const GRAPHQL_KEEP_ALIVE_MS = 12_000

export type GraphqlSockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Tells every client that this server is going away, and terminates sockets that do not close in time. */
  drain(timeoutMs: number): Promise<void>
}

const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013
const INTERNAL_ERROR = 4500

/** `/graphql` over WebSocket, as graphql-transport-ws: every operation, and the only way to logStream. */
export function graphqlSockets(api: GraphqlApi, runtime: Runtime): GraphqlSockets {
  const { clock, ids, log } = runtime
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: GRAPHQL_BODY_BYTES_MAX,
    // Compression costs memory for each socket, and log lines are short.
    perMessageDeflate: false,
    handleProtocols,
  })
  const protocol = makeServer<Record<string, unknown> | undefined, { request: IncomingMessage }>({
    connectionInitWaitTimeout: GRAPHQL_CONNECT_MS,
    // Returns what to execute, with the same limits, context and errors as over HTTP.
    onSubscribe: async ({ extra, connectionParams, subscriptions }, _id, { query, operationName, variables }) => {
      const arrival = arrivalOf(extra.request, connectionParams, runtime)
      try {
        if (Object.keys(subscriptions).length > GRAPHQL_OPERATIONS_PER_SOCKET_MAX) {
          throw apiError('RATE_LIMITED', `a socket carries ${GRAPHQL_OPERATIONS_PER_SOCKET_MAX} operations at a time`)
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

  server.on('connection', (socket, request) => {
    socket.on('error', (error) => log.debug({ err: error }, 'GraphQL socket failed'))
    const stopBeating = keepAlive(socket, clock)
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => sent(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) => {
          socket.on('message', (data) => {
            handle(String(data)).catch((error: unknown) => {
              log.debug({ err: error }, 'message over a GraphQL socket failed')
              socket.close(INTERNAL_ERROR, 'Internal server error')
            })
          })
        },
      },
      { request },
    )
    socket.once('close', (code, reason) => {
      stopBeating()
      closed(code, String(reason)).catch((error: unknown) =>
        log.warn({ err: error }, 'GraphQL socket did not close cleanly'),
      )
    })
  })

  return {
    upgrade: (request, socket, head) => {
      if ((request.url ?? '/').split('?', 1)[0] !== '/graphql') return refuseUpgrade(socket, '404 Not Found')
      if (server.clients.size >= GRAPHQL_SOCKETS_MAX) return refuseUpgrade(socket, '503 Service Unavailable')
      server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request))
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

/** Resolves when the text has left this process, so that a slow reader is sent no more until then. */
function sent(socket: WebSocket, text: string): Promise<void> {
  if (socket.bufferedAmount > GRAPHQL_SOCKET_BUFFER_BYTES_MAX) {
    socket.close(TRY_AGAIN_LATER, 'Too much is waiting to be sent')
  }
  return new Promise((resolve, reject) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    socket.send(text, (error) => (error ? reject(error) : resolve()))
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

/** Browsers cannot set a header, so the token may also come in the connection parameters. */
function arrivalOf(
  request: IncomingMessage,
  params: Readonly<Record<string, unknown>> | undefined,
  { config, ids }: Pick<Runtime, 'config' | 'ids'>,
): Arrival {
  const given = params?.authorization ?? params?.Authorization
  return {
    transport: 'websocket',
    clientAddress: clientAddress(request, config.TRUST_PROXY),
    correlationId: ids.uuid(),
    token: typeof given === 'string' ? tokenIn(given) : bearerToken(request),
  }
}

type Carried = { readonly enveloped: ReturnType<GraphqlApi['getEnveloped']>; readonly arrival: Arrival }

function carried({ rootValue }: ExecutionArgs): Carried {
  return rootValue as Carried
}

function asGraphqlError(error: unknown): unknown {
  return error instanceof GraphQLError ? error : new GraphQLError((error as { message: string }).message)
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => {})
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

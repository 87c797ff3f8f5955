import type { Socket } from 'node:net'
import type { Bind } from './http/httpServer.ts'

/** Opens a connection, as undici wants it. */
export type Connect = (
  to: { readonly hostname: string; readonly port: string },
  done: (...result: [Error, null] | [null, Socket]) => void,
) => void

/** Where servers listen, where connections lead, and what names mean. */
export type Network = {
  readonly listen: Bind
  readonly connect: Connect
  /** The addresses of a name. */
  readonly resolve: (name: string) => Promise<readonly string[]>
}

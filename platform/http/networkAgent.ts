import { Agent } from 'node:http'
import type { Network } from '../network.ts'

/** Connections of Node's own HTTP client over a network other than that of the operating system. */
export function networkAgent(network: Network): Agent {
  const agent = new Agent({ keepAlive: true })
  agent.createConnection = ({ host, port }, done) => {
    network.connect({ hostname: String(host), port: String(port) }, (error, socket) => {
      if (socket) done?.(null, socket)
      // Node's types want a connection beside the error, which it does not look at.
      else (done as ((error: Error | null) => void) | undefined)?.(error)
    })
    return undefined
  }
  return agent
}

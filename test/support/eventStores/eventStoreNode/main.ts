import { parseArgs } from 'node:util'
import type { FaultPlan } from './faults.ts'
import { EventStoreNode } from './node.ts'

/** Requests of the parent process; each is answered with its number when it is done. */
export type NodeRequest =
  | { readonly request: number; readonly do: 'arm'; readonly plan: FaultPlan }
  | {
      readonly request: number
      readonly do: 'disarm' | 'forgetIds' | 'release' | 'dropConnections' | 'restart' | 'writeSystemEvent'
    }

const { values } = parseArgs({
  options: { port: { type: 'string' }, file: { type: 'string' }, 'append-bytes-max': { type: 'string' } },
})
const node = await EventStoreNode.start({
  ...(values.port !== undefined && { port: Number(values.port) }),
  ...(values.file !== undefined && { file: values.file }),
  ...(values['append-bytes-max'] !== undefined && { appendBytesMax: Number(values['append-bytes-max']) }),
})
process.stdout.write(`${node.url}\n`)
process.send?.({ url: node.url })

process.on('message', async (message: NodeRequest) => {
  await carryOut(message)
  process.send?.({ request: message.request })
})
process.on('disconnect', () => void stop())
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())

async function carryOut(message: NodeRequest): Promise<void> {
  switch (message.do) {
    case 'arm':
      return node.faults.arm(message.plan)
    case 'disarm':
      return node.faults.disarm()
    case 'forgetIds':
      node.faults.forgetsIds = true
      return
    case 'release':
      return node.faults.release()
    case 'dropConnections':
      return node.dropConnections()
    case 'restart':
      return node.restart()
    case 'writeSystemEvent':
      return node.writeSystemEvent()
  }
}

async function stop(): Promise<void> {
  await node.stop()
  process.exit(0)
}

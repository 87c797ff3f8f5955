import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildNode } from '../../support/eventStores/eventStoreNode/childNode.ts'
import { missingEventStoreBinary, startEventStoreServer } from '../../support/eventStores/eventStoreServer.ts'
import { onAbruptExit } from '../../support/processes/exitSteps.ts'
import { reusablePorts } from '../../support/processes/reusablePorts.ts'

/** The event store as a process, on the same data and port after every start. */
export type SoakStore = {
  readonly name: string
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  remove(): Promise<void>
}

/** A real EventStoreDB if ESDB_SERVER names its binary, otherwise the node of the tests that speaks its protocol. */
export async function startSoakStore(tell: (line: string) => void): Promise<SoakStore> {
  const missing = missingEventStoreBinary()
  if (missing !== null) {
    tell(`the event store is a stand-in: ${missing}`)
    return startStandIn()
  }
  const server = await startEventStoreServer()
  return {
    name: 'EventStoreDB',
    url: server.url,
    start: () => server.start(),
    kill: () => server.kill(),
    remove: () => server.stop(),
  }
}

async function startStandIn(): Promise<SoakStore> {
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  const node = new ChildNode(join(folder, 'events'))
  // A port that it can release and bind again.
  node.url = `esdb://127.0.0.1:${(await reusablePorts(1))[0]}?tls=false`
  await node.start()
  const callOff = onAbruptExit(() => void node.kill())
  return {
    name: 'stand-in of EventStoreDB',
    url: node.url,
    start: () => node.start(),
    kill: () => node.kill(),
    remove: async () => {
      await node.kill()
      callOff()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

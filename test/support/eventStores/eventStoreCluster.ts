import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { until } from '../time/until.ts'
import { EventStoreServer, requireEventStoreBinary } from './eventStoreServer.ts'

const NODES = 3
/** An election takes 1 to 10 s on an idle machine. */
const ELECTION_MS_MAX = 60_000
const FROZEN_ELECTION_MS_MAX = 30_000
const GOSSIP_MS_MAX = 1_500
/** Longer than the defaults, with which elections fail on a fully loaded machine. */
const PATIENCE = {
  'leader-election-timeout-ms': '2000',
  'replication-heartbeat-timeout': '1500',
}

type Member = { readonly state: string; readonly isAlive: boolean; readonly httpEndPointPort: number }

/** Three real EventStoreDB nodes, each of which can be killed, frozen and started again. */
export class EventStoreCluster {
  readonly nodes: readonly EventStoreServer[]
  readonly #folder: string

  constructor(nodes: readonly EventStoreServer[], folder: string) {
    this.nodes = nodes
    this.#folder = folder
  }

  static async start(context: TestContext): Promise<EventStoreCluster> {
    const binary = requireEventStoreBinary(context)
    const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
    const ports = await reusablePorts(2 * NODES)
    const nodePorts = ports.slice(0, NODES)
    const nodes = nodePorts.map((port, index) => {
      const seeds = nodePorts.filter((other) => other !== port).map((other) => `127.0.0.1:${other}`)
      const settings = {
        'cluster-size': String(NODES),
        'discover-via-dns': 'false',
        'gossip-seed': seeds.join(','),
        ...PATIENCE,
      }
      const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
      return new EventStoreServer(binary, join(folder, String(index)), [port, ports[NODES + index] ?? 0], args)
    })
    const cluster = new EventStoreCluster(nodes, folder)
    await Promise.all(nodes.map((node) => node.start()))
    await cluster.whole()
    return cluster
  }

  get url(): string {
    return `esdb://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`
  }

  /** The leader according to most of the answering nodes, if it is not `former`. */
  async leader(former?: EventStoreServer, msMax = ELECTION_MS_MAX): Promise<EventStoreServer> {
    let leader: EventStoreServer | undefined
    await until(
      'the cluster has a leader',
      async () => {
        const views = await Promise.all(this.nodes.map((node) => gossip(node)))
        leader = this.nodes.find(
          (node) => node !== former && views.filter((members) => leads(members, node.port)).length >= 2,
        )
        return leader !== undefined
      },
      msMax,
    )
    return leader as EventStoreServer
  }

  /**
   * Freezes the leader until the others have elected another one, and returns the frozen node. Sometimes they keep electing
   * the frozen one; it is then thawed and frozen once more. Skips the test if that does not help either,
   * because it is about what follows an election.
   */
  async freezeLeader(context: TestContext): Promise<EventStoreServer> {
    for (let attempts = 3; ; attempts--) {
      const leader = await this.leader()
      leader.freeze()
      if (await isReached(this.leader(leader, FROZEN_ELECTION_MS_MAX))) return leader
      leader.thaw()
      if (attempts === 1 || !(await isReached(this.whole()))) {
        return context.skip('the cluster elected no other leader than the frozen one')
      }
    }
  }

  /**
   * Waits until every node leads or follows: a node that still catches up does not count for a majority. Starts nodes
   * that have ended themselves, as a supervisor does, and all of them once if they cannot agree.
   */
  async whole(): Promise<void> {
    if (await isReached(this.#agreed())) return
    await Promise.all(this.nodes.map((node) => node.kill()))
    await this.#agreed()
  }

  async #agreed(): Promise<void> {
    await until(
      'every node leads or follows',
      async () => {
        await Promise.all(this.nodes.filter(({ hasEnded }) => hasEnded).map((node) => isReached(node.start())))
        const views = await Promise.all(this.nodes.map((node) => gossip(node)))
        return views.every((members) => members.length === NODES && members.every(takesPart))
      },
      ELECTION_MS_MAX,
    )
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()))
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function isReached(state: Promise<unknown>): Promise<boolean> {
  return state.then(
    () => true,
    () => false,
  )
}

async function gossip({ port }: EventStoreServer): Promise<readonly Member[]> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/gossip?format=json`, {
      signal: AbortSignal.timeout(GOSSIP_MS_MAX),
    })
    return ((await answer.json()) as { members: Member[] }).members
  } catch {
    return []
  }
}

function takesPart({ state, isAlive }: Member): boolean {
  return isAlive && (state === 'Leader' || state === 'Follower')
}

function leads(members: readonly Member[], port: number): boolean {
  return members.some(
    ({ state, isAlive, httpEndPointPort }) => isAlive && state === 'Leader' && httpEndPointPort === port,
  )
}

import type { Clock } from '../../../clock/clock.ts'
import { StoreUnavailable } from '../../port.ts'
import { failureText } from '../storeFailure.ts'
import { type NodeAddress, shownAddress } from './connectionString.ts'
import type { Member } from './gossip.ts'

export type AskNode = (node: NodeAddress) => Promise<readonly Member[]>

export type ClusterLeaderOptions = {
  readonly seeds: readonly NodeAddress[]
  readonly ask: AskNode
  readonly clock: Clock
  /** Called when the leader changes: requests to the former leader may hang. */
  readonly onMoved: (leader: NodeAddress) => void
}

/** How often the nodes are asked, so that requests leave a leader that has stopped. */
const WATCH_MS = 1_000
/** How often they are asked while the leader does not answer or a request waits for one, and for how long at most. */
const SEARCH_MS = 200
const SEARCH_MS_MAX = 5_000
/** Members that were reported at some point and are asked in addition to the seeds. */
const MEMBERS_MAX = 20

/**
 * Tracks which node of a cluster leads. A leader counts only if it says so itself: the others keep reporting a stopped
 * leader until they elect another one. Nodes that were reported at some point are asked as well as the seeds, so that
 * the leader is found even while the seeds are gone.
 */
export class ClusterLeader {
  readonly #seeds: readonly NodeAddress[]
  readonly #ask: AskNode
  readonly #clock: Clock
  readonly #onMoved: (leader: NodeAddress) => void
  readonly #closing = new AbortController()
  #members: readonly NodeAddress[] = []
  #leader: NodeAddress | null = null
  /** The last leader that was found, even if it is in doubt. */
  #lastLeader: NodeAddress | null = null
  #searching: Promise<NodeAddress> | null = null
  #watching = false
  /** Why nodes did not answer when they were last asked, by node. */
  #failures = new Map<string, unknown>()

  constructor({ seeds, ask, clock, onMoved }: ClusterLeaderOptions) {
    this.#seeds = seeds
    this.#ask = ask
    this.#clock = clock
    this.#onMoved = onMoved
  }

  /** Throws StoreUnavailable if no node says in time that it leads. */
  async find(): Promise<NodeAddress> {
    if (!this.#watching) void this.#watch()
    if (this.#leader) return this.#leader
    this.#searching ??= this.#search().finally(() => {
      this.#searching = null
    })
    return this.#searching
  }

  /** A request to the node failed: it is used again once it says that it leads. */
  doubt(node: NodeAddress): void {
    if (this.#leader && isSame(this.#leader, node)) this.#leader = null
  }

  close(): void {
    this.#closing.abort()
  }

  async #search(): Promise<NodeAddress> {
    const until = this.#clock.monotonicMs() + SEARCH_MS_MAX
    while (!this.#closing.signal.aborted) {
      await this.#look()
      if (this.#leader) return this.#leader
      if (this.#clock.monotonicMs() >= until) break
      await this.#clock.delay(SEARCH_MS, this.#closing.signal)
    }
    const nodes = this.#candidates().map((node) => this.#described(node))
    throw new StoreUnavailable(`no leader of the event store cluster was found: asked ${nodes.join(', ')}`)
  }

  async #watch(): Promise<void> {
    this.#watching = true
    let leads = true
    while (!this.#closing.signal.aborted) {
      await this.#clock.delay(leads ? WATCH_MS : SEARCH_MS, this.#closing.signal)
      if (!this.#closing.signal.aborted) leads = await this.#look()
    }
  }

  /** Whether a node says that it leads. If none does, the former leader is kept: it may only be slow. */
  async #look(): Promise<boolean> {
    const known = this.#lastLeader
    const views = await this.#viewsOf(this.#candidates())
    const reported = unique(views.flatMap(({ members }) => members.map(({ node }) => node)))
    if (reported.length > 0) this.#members = reported.slice(0, MEMBERS_MAX)
    const leaders = unique(views.flatMap(({ members }) => leadersOf(members)))
    const otherLeaders = leaders.filter((leader) => !views.some(({ node }) => isSame(node, leader)))
    const [leader] = [...views, ...(await this.#viewsOf(otherLeaders))]
      .filter(({ node, members }) => leadersOf(members).some((leader) => isSame(leader, node)))
      .map(({ node }) => ({ node, votes: votesFor(node, views) }))
      .toSorted((one, other) => other.votes - one.votes || rank(other.node, known) - rank(one.node, known))
    if (!leader || this.#closing.signal.aborted) return false
    this.#leader = leader.node
    this.#lastLeader = leader.node
    if (known && !isSame(known, leader.node)) this.#onMoved(leader.node)
    return true
  }

  /** The views of the nodes that answer. */
  async #viewsOf(nodes: readonly NodeAddress[]): Promise<readonly View[]> {
    const views = await Promise.all(nodes.map(async (node) => ({ node, members: await this.#viewOf(node) })))
    return views.flatMap(({ node, members }) => (members ? [{ node, members }] : []))
  }

  async #viewOf(node: NodeAddress): Promise<readonly Member[] | null> {
    try {
      const members = await this.#ask(node)
      this.#failures.delete(shownAddress(node))
      return members
    } catch (error) {
      this.#failures.set(shownAddress(node), error)
      return null
    }
  }

  #described(node: NodeAddress): string {
    const address = shownAddress(node)
    return this.#failures.has(address) ? `${address} (${failureText(this.#failures.get(address))})` : address
  }

  #candidates(): readonly NodeAddress[] {
    return unique([...this.#members, ...this.#seeds])
  }
}

type View = { readonly node: NodeAddress; readonly members: readonly Member[] }

function leadersOf(members: readonly Member[]): NodeAddress[] {
  return members.filter(({ isLeader }) => isLeader).map(({ node }) => node)
}

/** A former leader that comes back believes for a moment that it still leads, but the others do not. */
function votesFor(node: NodeAddress, views: readonly View[]): number {
  return views.filter(({ members }) => leadersOf(members).some((leader) => isSame(leader, node))).length
}

function rank(node: NodeAddress, known: NodeAddress | null): number {
  return known && isSame(node, known) ? 1 : 0
}

function isSame(one: NodeAddress, other: NodeAddress): boolean {
  return one.address === other.address && one.port === other.port
}

function unique(nodes: readonly NodeAddress[]): NodeAddress[] {
  return nodes.filter((node, index) => nodes.findIndex((other) => isSame(node, other)) === index)
}

import type { Clock } from '../../../clock/clock.ts'
import { StoreClient } from '../storeClient.ts'
import { type NodeAddress, parseStoreAddress, type StoreAddress, shownAddress } from './connectionString.ts'
import { type StoreNodes, storeNodes } from './storeNodes.ts'

/** The clients of one store, all connected to the node that leads now. */
export class StoreConnections {
  readonly #address: StoreAddress
  readonly #clock: Clock
  readonly #nodes: StoreNodes
  readonly #clients = new Set<StoreClient>()
  #reading: StoreClient | null = null

  /** Throws if the URL is not one that the store's client accepts. */
  constructor(url: string, clock: Clock) {
    this.#address = parseStoreAddress(url)
    this.#clock = clock
    this.#nodes = storeNodes(this.#address, clock)
    this.#nodes.onMoved((leader) => this.#leaveOthers(leader))
  }

  /** The client that all reads share, until one of them fails. */
  get reading(): StoreClient {
    this.#reading ??= this.another()
    return this.#reading
  }

  /** A further client with its own connection. The caller retires it. */
  another(): StoreClient {
    const client = new StoreClient({
      address: this.#address,
      clock: this.#clock,
      findNode: () => this.#nodes.find(),
      onGone: (gone) => {
        this.#clients.delete(gone)
        if (gone === this.#reading) this.#reading = null
      },
    })
    this.#clients.add(client)
    return client
  }

  /** A request of the client failed because of its connection or node. Concurrent requests may report the same failure. */
  failed(client: StoreClient): void {
    if (client.node) this.#nodes.doubt(client.node)
    client.retire()
  }

  close(): void {
    this.#nodes.close()
    for (const client of [...this.#clients]) client.close()
  }

  /** The former leader may have stopped without closing its connections, and would never answer. */
  #leaveOthers(leader: NodeAddress): void {
    for (const client of [...this.#clients]) {
      if (client.node && shownAddress(client.node) !== shownAddress(leader)) client.close()
    }
  }
}

import { BlockList, isIPv6 } from 'node:net'

/** The networks that calls with a key may come from. */
export class AllowedNetworks {
  readonly #list = new BlockList()

  /** In CIDR notation. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/')
      this.#list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4')
    }
  }

  /** An IPv4 address that is written as an IPv6 one is in the IPv4 networks. */
  includes(address: string): boolean {
    const plain = address.replace(/%.*/, '')
    return this.#list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

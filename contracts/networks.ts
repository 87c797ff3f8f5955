import { z } from 'zod'

/** Networks that one key may name. */
export const KEY_NETWORKS_MAX = 50

const cidr = z.union([z.cidrv4(), z.cidrv6()])

/** The rule in words, for refusals. */
export const NETWORK_RULE =
  'is written as an address and the length of its prefix, such as 203.0.113.0/24 or 2001:db8::/32'

/** Whether a text is an IPv4 or IPv6 network in CIDR notation, which `BlockList` of Node can match. */
export function isNetwork(text: string): boolean {
  return cidr.safeParse(text).success
}

/** The networks that calls with a key may come from; null: every network. */
export const networks = z
  .array(z.string().refine(isNetwork, `a network ${NETWORK_RULE}`))
  .min(1)
  .max(KEY_NETWORKS_MAX)
  .nullable()

import ipaddr from 'ipaddr.js'

/** The only IPv6 addresses that are assigned to networks of the internet. Others translate or tunnel to IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Where receivers of an installation's own network may be. Link-local addresses, such as those of metadata services, are not among them. */
const PRIVATE_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']

/**
 * Whether a message may be sent to the address: any host of the internet, and one of a private network only if that is
 * allowed. IPv4 addresses that are written as IPv6 are refused in both cases.
 */
export function isAllowedAddress(text: string, allowsPrivate: boolean): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  const range = address.range()
  if (allowsPrivate && PRIVATE_RANGES.includes(range)) return true
  if (range !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

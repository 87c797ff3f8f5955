import ipaddr from 'ipaddr.js'

/** The only IPv6 addresses assigned to networks of the internet. Others translate or tunnel to IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Where receivers in an own network may be. Link-local addresses, such as metadata services, are not included. */
const PRIVATE_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']

/**
 * Addresses at which clouds serve a machine its own credentials and settings, although they look like public or private
 * ones. Most others are link-local.
 */
const CLOUD_SERVICES: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  // Azure.
  ipaddr.IPv4.parseCIDR('168.63.129.16/32'),
  // Alibaba Cloud.
  ipaddr.IPv4.parseCIDR('100.100.100.200/32'),
  // Oracle Cloud.
  ipaddr.IPv4.parseCIDR('192.0.0.192/32'),
  ipaddr.IPv6.parseCIDR('fd00:c1::a9fe:a9fe/128'),
  // IBM Cloud.
  ipaddr.IPv4.parseCIDR('161.26.0.0/16'),
  // AWS.
  ipaddr.IPv6.parseCIDR('fd00:ec2::/32'),
  // Google Cloud.
  ipaddr.IPv6.parseCIDR('fd20:ce::254/128'),
  // Scaleway.
  ipaddr.IPv6.parseCIDR('fd00:42::42/128'),
]

/**
 * Whether a message may be sent to the address: any host on the internet, and hosts in private networks only if
 * allowed. IPv4 addresses written as IPv6 and cloud services are always refused.
 */
export function isAllowedAddress(text: string, allowsPrivate: boolean): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (CLOUD_SERVICES.some((service) => service[0].kind() === address.kind() && address.match(service))) return false
  const range = address.range()
  if (allowsPrivate && PRIVATE_RANGES.includes(range)) return true
  if (range !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST)
}

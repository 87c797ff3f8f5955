/** The typed networks; null if there are none. */
export function networksIn(typed: string): readonly string[] | null {
  const networks = typed.split(/[\s,]+/).filter(Boolean)
  return networks.length === 0 ? null : networks
}

/** What is wrong with the typed networks. */
export function networkFault(typed: string): string | undefined {
  const wrong = networksIn(typed)?.find((network) => !isNetwork(network))
  return wrong && `“${wrong}” is not a network such as 203.0.113.0/24 or 2001:db8::/32.`
}

function isNetwork(text: string): boolean {
  const [, address = '', bits = ''] = /^([\da-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? []
  if (address === '') return false
  return address.includes(':') ? isIpv6(address) && Number(bits) <= 128 : isIpv4(address) && Number(bits) <= 32
}

function isIpv4(address: string): boolean {
  return /^(\d{1,3}\.){3}\d{1,3}$/.test(address) && address.split('.').every((part) => Number(part) <= 255)
}

function isIpv6(address: string): boolean {
  return URL.canParse(`http://[${address}]/`)
}

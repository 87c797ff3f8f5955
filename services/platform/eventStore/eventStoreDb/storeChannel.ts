import { Channel } from '@grpc/grpc-js'
import { type NodeAddress, type StoreAddress, shownAddress } from './connectionString.ts'

/** The client's own bound: the store accepts larger events from other protocols than gRPC. */
const RECEIVED_MESSAGE_BYTES_MAX = 17 * 1024 * 1024

/** With a connection of its own: gRPC would give a new client the dead connection that it shall replace. */
export function openChannel(
  node: NodeAddress,
  { channelCredentials, keepAlive }: Pick<StoreAddress, 'channelCredentials' | 'keepAlive'>,
): Channel {
  const { intervalMs, timeoutMs } = keepAlive
  return new Channel(shownAddress(node), channelCredentials, {
    'grpc.keepalive_time_ms': intervalMs < 0 ? Number.MAX_VALUE : intervalMs,
    'grpc.keepalive_timeout_ms': timeoutMs < 0 ? Number.MAX_VALUE : timeoutMs,
    'grpc.max_receive_message_length': RECEIVED_MESSAGE_BYTES_MAX,
    'grpc.use_local_subchannel_pool': 1,
  })
}

/** The private members of a gRPC channel that are used here. */
type ChannelInternals = {
  readonly internalChannel?: {
    readonly subchannelPool?: {
      readonly pool?: Readonly<Record<string, readonly { readonly subchannel: { continueConnecting: boolean } }[]>>
    }
  }
}

/**
 * A connection that failed is tried once more by gRPC, even after its channel was closed, and then stays open although no
 * client uses it. With a client for every attempt, each outage would leave a dozen of them.
 */
export function closeChannel(channel: Channel): void {
  const pool = (channel as unknown as ChannelInternals).internalChannel?.subchannelPool?.pool ?? {}
  for (const { subchannel } of Object.values(pool).flat()) subchannel.continueConnecting = false
  channel.close()
}

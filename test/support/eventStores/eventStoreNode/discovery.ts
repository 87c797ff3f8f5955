import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js'
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js'
import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import type { Server, ServiceDefinition } from '@grpc/grpc-js'

/** Methods with their features, in lower case (Services/Transport/Grpc/ServerFeatures.cs). */
const METHODS = {
  read: ['position', 'events'],
  append: [],
  batchappend: ['deadline_duration'],
} satisfies Record<string, string[]>

/** The first requests of a client: which methods there are, and which node of the cluster leads. */
export function addDiscovery(server: Server, endpoint: () => { host: string; port: number }): void {
  server.addService(featuresGrpc.ServerFeaturesService as unknown as ServiceDefinition, {
    getSupportedMethods: (_: unknown, answer: (error: null, methods: featuresPb.SupportedMethods) => void) => {
      const supported = new featuresPb.SupportedMethods()
      supported.setEventStoreServerVersion('24.10.0')
      for (const [name, features] of Object.entries(METHODS)) {
        const method = new featuresPb.SupportedMethod()
        method.setMethodName(name)
        method.setServiceName('event_store.client.streams.streams')
        method.setFeaturesList(features)
        supported.addMethods(method)
      }
      answer(null, supported)
    },
  })
  // A cluster of one (Services/Transport/Grpc/Cluster.Gossip.cs).
  server.addService(gossipGrpc.GossipService as unknown as ServiceDefinition, {
    read: (_: unknown, answer: (error: null, cluster: gossipPb.ClusterInfo) => void) => {
      const { host, port } = endpoint()
      const address = new gossipPb.EndPoint()
      address.setAddress(host)
      address.setPort(port)
      const id = new sharedPb.UUID()
      id.setString('00000000-0000-4000-8000-000000000001')
      const member = new gossipPb.MemberInfo()
      member.setInstanceId(id)
      member.setTimeStamp(String(Date.now()))
      member.setState(gossipPb.MemberInfo.VNodeState.LEADER)
      member.setIsAlive(true)
      member.setHttpEndPoint(address)
      const cluster = new gossipPb.ClusterInfo()
      cluster.setMembersList([member])
      answer(null, cluster)
    },
  })
}

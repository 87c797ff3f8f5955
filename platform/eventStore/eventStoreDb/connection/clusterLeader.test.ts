import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/time/manualClock.ts'
import { until } from '../../../../test/support/time/until.ts'
import { StoreUnavailable } from '../../port.ts'
import { ClusterLeader } from './clusterLeader.ts'
import { type NodeAddress, shownAddress } from './connectionString.ts'
import type { Member } from './gossip.ts'

const [a, b, c] = ['a', 'b', 'c'].map((address) => ({ address, port: 2113 })) as [NodeAddress, NodeAddress, NodeAddress]

let clock: ManualClock
let leader: ClusterLeader
/** The leader that each node reports. A missing node does not answer. */
let views: Map<string, NodeAddress | null>
let queriedNodes: string[]
let moves: string[]

beforeEach(() => {
  clock = new ManualClock()
  views = new Map()
  queriedNodes = []
  moves = []
})
afterEach(() => leader.close())

const view = (node: NodeAddress, believed: NodeAddress | null) => views.set(shownAddress(node), believed)

function cluster(...seeds: NodeAddress[]): ClusterLeader {
  leader = new ClusterLeader({
    seeds,
    clock,
    ask: async (node) => {
      queriedNodes.push(node.address)
      const believed = views.get(shownAddress(node))
      if (believed === undefined) throw new Error('no answer')
      return [a, b, c].map((member): Member => ({ node: member, isLeader: member === believed }))
    },
    onMoved: ({ address }) => moves.push(address),
  })
  return leader
}

async function untilMoved(count: number): Promise<void> {
  await until('requests move to another node', async () => {
    await clock.advance(200)
    return moves.length >= count
  })
}

describe('the leader of a cluster', () => {
  test('is the node that the seeds report and that says so itself', async () => {
    for (const node of [a, b, c]) view(node, b)
    expect(await cluster(a).find()).toEqual(b)
    expect(queriedNodes.toSorted()).toEqual(['a', 'b'])
  })

  test('is not a node that the others still report and that does not answer', async () => {
    view(a, b)
    view(c, b)
    const finding = cluster(a, c).find()
    const refused = expect(finding).rejects.toThrow(
      new StoreUnavailable('no leader of the event store cluster was found: asked a:2113, b:2113 (no answer), c:2113'),
    )
    await until('the search has asked for long enough', async () => {
      await clock.advance(200)
      return clock.monotonicMs() > 5_000
    })
    await refused
  })

  test('is found by a search that waits for the election', async () => {
    view(a, null)
    view(b, null)
    const finding = cluster(a, b).find()
    await until('a node was asked twice', async () => {
      await clock.advance(200)
      return queriedNodes.filter((node) => node === 'a').length > 1
    })
    view(a, b)
    view(b, b)
    await clock.advance(200)
    expect(await finding).toEqual(b)
  })

  test('is found through members that were reported before, when the only seed is gone', async () => {
    for (const node of [a, b, c]) view(node, a)
    expect(await cluster(a).find()).toEqual(a)
    views.delete(shownAddress(a))
    view(b, c)
    view(c, c)
    leader.doubt(a)
    expect(await leader.find()).toEqual(c)
    expect(moves).toEqual(['c'])
  })

  test('is abandoned when it stops without an error and another one was elected', async () => {
    for (const node of [a, b, c]) view(node, a)
    expect(await cluster(a, b, c).find()).toEqual(a)
    views.delete(shownAddress(a))
    view(b, c)
    view(c, c)
    await untilMoved(1)
    expect(moves).toEqual(['c'])
    expect(await leader.find()).toEqual(c)
  })

  test('stays the elected one when the former leader comes back and still believes that it leads', async () => {
    for (const node of [a, b, c]) view(node, c)
    expect(await cluster(a, b, c).find()).toEqual(c)
    view(a, a)
    const before = queriedNodes.length
    await until('all nodes were asked twice', async () => {
      await clock.advance(200)
      return queriedNodes.length >= before + 6
    })
    expect(moves).toEqual([])
    expect(await leader.find()).toEqual(c)
  })

  test('is asked for once, however many requests wait for it', async () => {
    for (const node of [a, b, c]) view(node, a)
    cluster(a)
    await Promise.all(Array.from({ length: 10 }, () => leader.find()))
    expect(queriedNodes).toEqual(['a'])
  })
})

import { storeFeed } from '../../../platform/feed/storeFeed.ts'
import { feedContract } from '../../contract/feed.ts'
import { withoutUpcasting } from '../../support/eventStores/withoutUpcasting.ts'
import { simulatedFeed } from './simulatedFeed.ts'
import { startStore } from './startStore.ts'

const PARTITIONS = 3

feedContract('the simulated feed of several partitions', async () => {
  const { store, close } = startStore()
  return {
    feed: simulatedFeed(store, PARTITIONS),
    append: (stream, events) => store.append(stream, 'any', events),
    close,
  }
})

feedContract('the feed straight from the simulated store', async () => {
  const { store, close } = startStore()
  const feed = storeFeed(withoutUpcasting(store))
  return { feed, append: (stream, events) => store.append(stream, 'any', events), close }
})

import { storeFeed } from '../../platform/feed/storeFeed.ts'
import { PostgresStoreHarness } from '../support/databases/postgresStore.ts'
import { withoutUpcasting } from '../support/eventStores/withoutUpcasting.ts'
import { feedContract } from './feed.ts'

feedContract('the feed straight from the event store', async () => {
  const harness = await PostgresStoreHarness.open()
  return {
    feed: storeFeed(withoutUpcasting(harness.store)),
    append: (stream, events) => harness.store.append(stream, 'any', events),
    close: () => harness.close(),
  }
})

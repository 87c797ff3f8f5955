import { pino } from 'pino'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { storeFeed } from '../../platform/feed/storeFeed.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { feedContract } from '../contract/feed.ts'
import { aPrefix } from '../support/eventStores/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'
import { withoutUpcasting } from '../support/eventStores/withoutUpcasting.ts'

describeWithEventStore('EventStoreDB itself', (url) => {
  feedContract('the feed straight from a real EventStoreDB', async () => {
    const log = pino({ enabled: false })
    const store = openEventStoreDb(url, { clock: systemClock, ids: systemIds, prefix: aPrefix(), log })
    return {
      feed: storeFeed(withoutUpcasting(store)),
      append: (stream, events) => store.append(stream, 'any', events),
      close: () => store.close(),
    }
  })
})

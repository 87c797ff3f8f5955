import { pino } from 'pino'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { storeFeed } from '../../platform/feed/storeFeed.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { EventStoreNode } from '../support/eventStores/eventStoreNode/node.ts'
import { withoutUpcasting } from '../support/eventStores/withoutUpcasting.ts'
import { feedContract } from './feed.ts'

feedContract('the feed straight from EventStoreDB', async () => {
  const node = await EventStoreNode.start()
  const store = openEventStoreDb(node.url, {
    clock: systemClock,
    ids: systemIds,
    prefix: 'tollgate.',
    log: pino({ enabled: false }),
  })
  return {
    feed: storeFeed(withoutUpcasting(store)),
    append: (stream, events) => store.append(stream, 'any', events),
    close: async () => {
      await store.close()
      await node.stop()
    },
  }
})

import { feedContract } from '../contract/feed.ts'
import { sharedKafka } from '../support/engines/kafkaBroker.ts'
import { KafkaFeedHarness } from '../support/engines/kafkaFeedHarness.ts'

feedContract('the feed through Kafka', async (context) => {
  const harness = await KafkaFeedHarness.open(sharedKafka(context))
  await harness.startRelay()
  return {
    feed: harness.feed,
    append: (stream, events) => harness.append(stream, events),
    close: () => harness.close(),
  }
})

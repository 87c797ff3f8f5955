import { Page } from '../../parts/Page.tsx'
import { CheckpointCard } from './CheckpointCard.tsx'
import { GeneratorCard } from './GeneratorCard.tsx'
import { LeaseCard } from './LeaseCard.tsx'
import { LogCard } from './LogCard.tsx'
import { PaymentEventsCard } from './PaymentEventsCard.tsx'
import { ReadModelCard } from './ReadModelCard.tsx'
import { TaskCard } from './TaskCard.tsx'

export function OperationsPage() {
  return (
    <Page title="Operations" description="What needs attention, and what the services are doing.">
      <TaskCard />
      <PaymentEventsCard />
      <GeneratorCard />
      <ReadModelCard />
      <LeaseCard />
      <CheckpointCard />
      <LogCard />
    </Page>
  )
}

import { Page } from '../../parts/Page.tsx'
import { CheckpointCard } from './CheckpointCard.tsx'
import { LogCard } from './LogCard.tsx'
import { TaskCard } from './TaskCard.tsx'
import { WebhookCard } from './WebhookCard.tsx'

export function OperationsPage() {
  return (
    <Page title="Operations" description="What waits for somebody, and what the services do at the moment.">
      <TaskCard />
      <WebhookCard />
      <LogCard />
      <CheckpointCard />
    </Page>
  )
}

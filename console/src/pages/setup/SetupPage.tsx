import { SetupStatusDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Banner } from '../../parts/Banner.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { usePlatformQuery } from '../../shell/platform.ts'

export function SetupPage() {
  const status = usePlatformQuery(SetupStatusDocument, {})
  const steps = status.data?.setupStatus ?? []
  const open = steps.filter(({ done }) => !done).length
  return (
    <Page
      title="Set-up"
      description="What an installation needs before it serves customers. Each check calls every provider."
      action={
        <Button busy={status.isFetching} onClick={() => void status.refetch()}>
          Refresh
        </Button>
      }
    >
      {status.data && (
        <Banner kind={open === 0 ? 'good' : 'warning'}>
          <strong>
            {open === 0 ? 'Everything is set up.' : `${open} ${open === 1 ? 'step is' : 'steps are'} left.`}
          </strong>
        </Banner>
      )}
      {status.error && <ErrorBox error={status.error} onRetry={() => void status.refetch()} />}
      <Card title="Steps">
        {status.isPending && <Skeleton lines={5} />}
        <ol className="steps">
          {steps.map(({ name, done, hint }) => (
            <li key={name}>
              <Badge tone={done ? 'good' : 'warning'}>{done ? 'Done' : 'To do'}</Badge>
              <div>
                <h3>{name}</h3>
                <p className="muted">{hint}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
    </Page>
  )
}

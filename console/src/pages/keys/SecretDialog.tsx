import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../../api/settings.ts'
import { ModelCallsDocument } from '../../graphql/generated.ts'
import { Banner } from '../../parts/Banner.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { SecretShownOnce } from '../../parts/SecretShownOnce.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { useCompanyQuery } from '../../shell/viewer.ts'
import { type Example, exampleOf } from './example.ts'
import type { Key } from './keyWords.ts'
import { snippetsFor } from './snippets.ts'

/** The placeholder if the gateway's public URL is not configured. */
const UNKNOWN_GATEWAY = 'https://your-gateway.example'

type Props = { readonly of: Key; readonly secret: string; readonly onClose: () => void }

/** Shows a new key, which is not stored and cannot be shown again. */
export function SecretDialog({ of: key, secret, onClose }: Props) {
  return (
    <SecretShownOnce
      title={`Key “${key.name}”`}
      description="Copy it now: it is shown only once and not stored."
      secret={secret}
      what="the key"
      wide
      onClose={onClose}
    >
      {(onCopied) => <Examples of={key} secret={secret} onCopied={onCopied} />}
    </SecretShownOnce>
  )
}

type ExamplesProps = Omit<Props, 'onClose'> & { readonly onCopied: () => void }

function Examples({ of: { models, scopes }, secret, onCopied }: ExamplesProps) {
  const settings = useQuery(settingsQuery)
  const alias = models?.length === 1 ? (models[0] ?? null) : null
  // The examples do not change while they are read, as they would after the first call.
  const calls = useCompanyQuery(ModelCallsDocument, { alias }, { staleTime: Number.POSITIVE_INFINITY })
  if (settings.isPending || calls.isPending) return <Skeleton lines={5} />
  const gatewayUrl = settings.data?.gatewayUrl ?? UNKNOWN_GATEWAY
  const example = exampleOf(models, calls.data?.calls.nodes ?? [])
  const tabs = snippetsFor({ gatewayUrl, secret, scopes, example }).map(({ name, text }) => ({
    name,
    content: (
      <div className="snippet">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard. */}
        <pre tabIndex={0}>{text}</pre>
        <CopyButton text={text} what={`the ${name} example`} onCopied={onCopied} />
      </div>
    ),
  }))
  return (
    <>
      {settings.data?.gatewayUrl === null && (
        <Banner kind="warning">
          This installation does not say where its gateway is. Replace <code>{UNKNOWN_GATEWAY}</code> in the examples,
          or ask its operator to set <code>GATEWAY_PUBLIC_URL</code>.
        </Banner>
      )}
      {scopes.includes('inference:chat') && <ModelHint of={example} />}
      <Tabs label="Examples" tabs={tabs} />
    </>
  )
}

/** Says what the examples assume about the model. */
function ModelHint({ of: example }: { readonly of: Example | null }) {
  if (example?.isProven) return null
  return (
    <p className="muted small">
      {example ? (
        <>
          No call has used <code>{example.model}</code> yet. “Models” shows whether it exists and which APIs it serves.
        </>
      ) : (
        '“Models” lists the models that this key may call, with their APIs. After the first call, new keys get examples with a model.'
      )}
    </p>
  )
}

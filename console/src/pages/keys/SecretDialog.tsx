import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../../api/settings.ts'
import { Banner } from '../../parts/Banner.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { SecretShownOnce } from '../../parts/SecretShownOnce.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { snippetsFor } from './snippets.ts'

/** The placeholder if the gateway's public URL is not configured. */
const UNKNOWN_GATEWAY = 'https://your-gateway.example'

type Props = { readonly name: string; readonly secret: string; readonly onClose: () => void }

/** Shows a new key, which is not stored and cannot be shown again. */
export function SecretDialog({ name, secret, onClose }: Props) {
  const settings = useQuery(settingsQuery)
  const gatewayUrl = settings.data?.gatewayUrl ?? UNKNOWN_GATEWAY
  const tabs = (onCopied: () => void) =>
    snippetsFor(gatewayUrl, secret).map((snippet) => ({
      name: snippet.name,
      content: (
        <div className="snippet">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard. */}
          <pre tabIndex={0}>{snippet.text}</pre>
          <CopyButton text={snippet.text} what={`the ${snippet.name} example`} onCopied={onCopied} />
        </div>
      ),
    }))
  return (
    <SecretShownOnce
      title={`Key “${name}”`}
      description="Copy it now: it is shown only once and not stored."
      secret={secret}
      what="the key"
      wide
      onClose={onClose}
    >
      {(onCopied) => (
        <>
          {settings.data?.gatewayUrl === null && (
            <Banner kind="warning">
              This installation does not say where its gateway is. Replace <code>{UNKNOWN_GATEWAY}</code> in the
              examples, or ask its operator to set <code>GATEWAY_PUBLIC_URL</code>.
            </Banner>
          )}
          <Tabs label="Examples" tabs={tabs(onCopied)} />
        </>
      )}
    </SecretShownOnce>
  )
}

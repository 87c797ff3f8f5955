import { useState } from 'react'
import { Button } from './Button.tsx'

type Props = { readonly text: string; readonly what: string; readonly onCopied?: () => void }

/** Copies text. If the browser forbids it, asks the user to select and copy instead. */
export function CopyButton({ text, what, onCopied }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setOutcome('copied')
        onCopied?.()
      },
      () => setOutcome('failed'),
    )
  const words = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Select and copy' : 'Copy'
  return (
    <Button onClick={copy} aria-label={`${words}: ${what}`}>
      <span aria-live="polite">{words}</span>
    </Button>
  )
}

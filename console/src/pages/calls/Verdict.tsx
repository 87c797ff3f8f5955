import { Badge } from '../../parts/Badge.tsx'
import { Banner } from '../../parts/Banner.tsx'
import type { Check } from './prove.ts'

const NAMES: Readonly<Record<string, string>> = {
  amount: 'Amount',
  price: 'Price',
  book: 'Price book in the log',
  inclusion: 'In the transparency log',
  signature: 'Signature',
  since: 'Since',
}

/** The result of each check. */
export function Verdict({ checks }: { readonly checks: readonly Check[] }) {
  const ok = checks.every((check) => check.ok)
  return (
    <>
      <Banner kind={ok ? 'good' : 'danger'}>
        <strong>{ok ? 'Proved.' : 'Not proved.'}</strong>{' '}
        {ok ? passedText(checks) : 'Keep the receipt and ask the operator of this installation.'}
      </Banner>
      <dl className="facts checks">
        {checks.map(({ name, ok: passed, missing, detail }) => (
          <div key={name}>
            <dt>
              <Badge tone={missing ? 'plain' : passed ? 'good' : 'danger'}>
                {missing ? '–' : passed ? '✓' : '✗'} {NAMES[name] ?? name}
              </Badge>
            </dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function passedText(checks: readonly Check[]): string {
  return checks.some(({ missing }) => missing) ? 'Every check that this receipt allows passed.' : 'Every check passed.'
}

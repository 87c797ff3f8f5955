import { Badge } from '../../parts/Badge.tsx'
import { Banner } from '../../parts/Banner.tsx'
import type { Check } from './prove.ts'

const NAMES: Readonly<Record<string, string>> = {
  amount: 'Amount',
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
        {ok ? 'Every check passed.' : 'Keep the receipt and ask the operator of this installation.'}
      </Banner>
      <dl className="facts checks">
        {checks.map(({ name, ok: passed, detail }) => (
          <div key={name}>
            <dt>
              <Badge tone={passed ? 'good' : 'danger'}>
                {passed ? '✓' : '✗'} {NAMES[name] ?? name}
              </Badge>
            </dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

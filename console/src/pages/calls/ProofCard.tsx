import { useMutation } from '@tanstack/react-query'
import { saveFile } from '../../api/saveFile.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { prove, type Receipt } from './prove.ts'
import { Verdict } from './Verdict.tsx'

/** Checks the receipt of an event in the browser, and offers it as a file that anybody can check. */
export function ProofCard({ receipt }: { readonly receipt: Receipt }) {
  const isReversal = receipt.event.type === 'ChargeReversed'
  const proving = useMutation({ mutationFn: () => prove(receipt) })
  const checks = proving.data
  const save = () =>
    saveFile(`receipt-${receipt.event.id}.json`, 'application/json', `${JSON.stringify(receipt, null, 2)}\n`)
  return (
    <Card
      title={isReversal ? 'Proof of the reversal' : 'Proof'}
      action={
        <div className="row">
          <Button onClick={save}>Download the receipt</Button>
          <Button kind="primary" busy={proving.isPending} onClick={() => proving.mutate()}>
            Prove it
          </Button>
        </div>
      }
    >
      <div className="inside stack">
        <p className="muted">
          The event is in the signed, append-only transparency log. Proving it checks in this browser that{' '}
          {isReversal ? '' : 'the charge is what its tokens and units cost by its price book, that '}the log contains
          it, and that the log is signed. The <a href="/log/check.mjs">checker</a> is one file that also runs without
          this server.
        </p>
        {proving.error ? <ErrorBox error={proving.error} /> : null}
        {checks && <Verdict checks={checks} />}
      </div>
    </Card>
  )
}

import { useMutation } from '@tanstack/react-query'
import { saveFile } from '../../api/saveFile.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { prove, type Receipt } from '../calls/prove.ts'
import { isUnsealed, useReceipt } from '../calls/useReceipt.ts'
import { Verdict } from '../calls/Verdict.tsx'
import { type Entry, entryName } from './entryWords.ts'

type Props = { readonly entry: Entry; readonly onClose: () => void }

/** Proves a ledger entry that is not a call; calls have their own page. */
export function ProofDialog({ entry, onClose }: Props) {
  const receipt = useReceipt(entry.id)
  const found = receipt.data?.ledgerReceipt
  return (
    <Dialog
      title={`Entry ${entry.number.toLocaleString()}: ${entryName(entry.type)}`}
      description="The published checker runs in this browser and verifies that the entry is in the signed transparency log."
      onClose={onClose}
    >
      <div className="scroll stack">
        {receipt.isPending && <Skeleton lines={3} />}
        {receipt.error && !isUnsealed(receipt.error) ? <ErrorBox error={receipt.error} /> : null}
        {isUnsealed(receipt.error) && (
          <p role="status">The transparency log does not cover this entry yet. Try again in a moment.</p>
        )}
        {found && <Proof of={found} />}
      </div>
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  )
}

function Proof({ of: receipt }: { readonly of: Receipt }) {
  const proving = useMutation({ mutationFn: () => prove(receipt) })
  const save = () =>
    saveFile(`receipt-${receipt.event.id}.json`, 'application/json', `${JSON.stringify(receipt, null, 2)}\n`)
  return (
    <>
      <div className="row">
        <Button kind="primary" busy={proving.isPending} onClick={() => proving.mutate()}>
          Prove it
        </Button>
        <Button onClick={save}>Download the receipt</Button>
      </div>
      {proving.error ? <ErrorBox error={proving.error} /> : null}
      {proving.data && <Verdict checks={proving.data} />}
    </>
  )
}

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { execute } from '../../api/execute.ts'
import { TestModelDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { SelectField } from '../../parts/Field.tsx'
import { duration } from '../../parts/values/times.ts'
import { costOf, type Provider, type Test, WIRES } from './modelWords.ts'

type Props = { readonly alias: string; readonly provider: Provider; readonly onClose: () => void }

/** Makes a trial call through one provider of an alias and shows the result. */
export function TrialCallDialog({ alias, provider, onClose }: Props) {
  const { name, wires } = provider
  const [wire, setWire] = useState(wires[0] ?? 'chat')
  const test = useMutation({
    mutationFn: () => execute(TestModelDocument, { alias, provider: name, wire }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    test.mutate()
  }
  return (
    <Dialog
      title={`Trial call to ${name} for ${alias}`}
      description="A gateway asks the model for one word. No company is charged, but the provider may charge you. An open circuit breaker does not stop it."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <div className="scroll">
          <SelectField
            label="API"
            value={wire}
            options={wires.map((value) => ({ value, label: WIRES[value] ?? value }))}
            onPick={setWire}
          />
          {test.error && <ErrorBox error={test.error} />}
          <div className="stack" role="status">
            {test.data && <Result of={test.data.testModel} />}
          </div>
        </div>
        <footer>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={test.isPending}>
            {test.data ? 'Send again' : 'Send'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

function Result({ of: test }: { readonly of: Test }) {
  const { id, status, firstByteMs, totalMs, tokensIn, tokensOut, error } = test
  return (
    <>
      {error !== null && <p className="banner danger anywhere">{error}</p>}
      <dl className="facts">
        <dt>Result</dt>
        <dd>
          <Badge tone={error === null ? 'good' : 'danger'}>{error === null ? 'It works' : 'The call failed'}</Badge>
        </dd>
        <dt>Status</dt>
        <dd className="number">{status ?? 'No answer'}</dd>
        <dt>First byte</dt>
        <dd className="number">{firstByteMs === null ? '–' : duration(firstByteMs)}</dd>
        <dt>Whole answer</dt>
        <dd className="number">{duration(totalMs)}</dd>
        <dt>Tokens</dt>
        <dd className="number">
          {tokensIn === null || tokensOut === null
            ? '–'
            : `${tokensIn.toLocaleString()} in, ${tokensOut.toLocaleString()} out`}
        </dd>
        <dt>Cost</dt>
        <dd>{costOf(test)}</dd>
        <dt>Call</dt>
        <dd>
          <code className="anywhere">{id}</code>
        </dd>
      </dl>
    </>
  )
}

import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { type BillingQuery, HardCapDocument, SetHardCapDocument, SetNoticeDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field, SelectField } from '../../parts/Field.tsx'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { hardCapOf, noticeWords } from './billingWords.ts'

type Notice = BillingQuery['noticeSettings']

const KINDS = [
  { value: 'DEFAULT', label: 'By default' },
  { value: 'AMOUNT', label: 'Below an amount' },
  { value: 'OFF', label: 'Never' },
] as const

/** The low-balance notice and the hard cap. */
export function LimitsCard({ notice, mayPay }: { readonly notice: Notice; readonly mayPay: boolean }) {
  const { may } = useViewer()
  return (
    <Card title="Limits and notices">
      <div className="inside stack">
        {mayPay ? (
          <NoticeForm key={`${notice.lowBalance} ${notice.lowBalanceCredits}`} notice={notice} />
        ) : (
          <p>
            <strong>Low-balance mail: {noticeWords(notice)}.</strong>
          </p>
        )}
        <p className="muted small">
          By default, the mail is sent when less than a tenth of the balance after the last top-up is left.
        </p>
        {may('readTrail') && <HardCap />}
      </div>
    </Card>
  )
}

function NoticeForm({ notice }: { readonly notice: Notice }) {
  const setNotice = useChange(SetNoticeDocument, 'company')
  const [kind, setKind] = useState<string>(notice.lowBalance)
  const [credits, setCredits] = useState(notice.lowBalanceCredits?.toString() ?? '')
  const [fault, setFault] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = Number(credits)
    const isWrong = kind === 'AMOUNT' && (credits.trim() === '' || !(amount >= 0))
    setFault(isWrong ? 'Enter a number of credits.' : undefined)
    if (isWrong) return
    // Without a value: the default limit. null: no notice.
    setNotice.mutate(kind === 'DEFAULT' ? {} : { lowBalanceCredits: kind === 'OFF' ? null : amount })
  }
  return (
    <form onSubmit={submit} noValidate className="filters" aria-label="Low-balance mail">
      <SelectField label="Low-balance mail" value={kind} options={KINDS} onPick={setKind} />
      {kind === 'AMOUNT' && (
        <Field
          label="Credits"
          inputMode="decimal"
          value={credits}
          fault={fault}
          onChange={({ target }) => setCredits(target.value)}
        />
      )}
      <Button type="submit" busy={setNotice.isPending}>
        Save
      </Button>
      {setNotice.error ? <ErrorBox error={setNotice.error} /> : null}
    </form>
  )
}

function HardCap() {
  const { user, asCompany } = useViewer()
  const setHardCap = useChange(SetHardCapDocument, 'company')
  const [isConfirming, setConfirming] = useState(false)
  const { data, error } = useCompanyQuery(HardCapDocument, {})
  if (error) return <ErrorBox error={error} />
  const isOn = data && hardCapOf(data.changed.nodes, data.registered.nodes)
  if (isOn === undefined || isOn === null) return null
  const companyId = user.company?.id
  const mayChange = asCompany === null && user.role === 'OWNER' && companyId !== undefined
  const close = () => setConfirming(false)
  return (
    <div className="spread">
      <p>
        <strong>Hard cap: {isOn ? 'on' : 'off'}.</strong>{' '}
        {isOn ? 'Calls never take the balance below zero.' : 'Calls may take the balance slightly below zero.'}
      </p>
      {mayChange && <Button onClick={() => setConfirming(true)}>Turn the hard cap {isOn ? 'off' : 'on'}</Button>}
      {isConfirming && companyId && (
        <ConfirmDialog
          title={`Turn the hard cap ${isOn ? 'off' : 'on'}?`}
          action={`Turn it ${isOn ? 'off' : 'on'}`}
          change={setHardCap}
          onConfirm={() => setHardCap.mutate({ companyId, hardCap: !isOn }, { onSuccess: close })}
          onClose={close}
        >
          <p>
            {isOn
              ? 'Calls are then admitted while the balance is above zero, and their cost may exceed the balance.'
              : 'Calls are then refused unless the balance covers their maximum cost.'}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

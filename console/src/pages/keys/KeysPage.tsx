import { useState } from 'react'
import { lastDays, utcDayStart } from '../../api/now.ts'
import { useChange } from '../../api/useChange.ts'
import {
  KeyDaysDocument,
  type KeyDaysQuery,
  KeysDocument,
  MintKeyDocument,
  RevokeKeyDocument,
  RotateKeyDocument,
  UpdateKeyDocument,
} from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { FILTERED_ROWS_MIN, NameFilter } from '../../parts/NameFilter.tsx'
import { Page } from '../../parts/Page.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { hasPart } from '../../parts/values/hasPart.ts'
import { useSpendingRefusal } from '../../shell/useSpendingRefusal.ts'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { type KeyAction, KeyTable } from './KeyTable.tsx'
import { draftOf, type KeyDraft, mintInput, NEW_KEY, updateInput } from './keyForm.ts'
import type { Key } from './keyWords.ts'
import { RevokeDialog } from './RevokeDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'

const DAYS = 14
const SHOWN = [
  { value: 'live', label: 'Live' },
  { value: 'all', label: 'All' },
] as const

type Open =
  | { readonly dialog: 'mint' }
  | { readonly dialog: KeyAction; readonly key: Key }
  | { readonly dialog: 'secret'; readonly key: Key; readonly secret: string }

export function KeysPage() {
  const { may } = useViewer()
  const mayChange = may('changeKeys')
  const refusal = useSpendingRefusal()
  const [shown, setShown] = useState<'live' | 'all'>('live')
  const [filter, setFilter] = useState('')
  const [open, setOpen] = useState<Open | null>(null)
  const keys = useCompanyQuery(KeysDocument, {})
  const days = useCompanyQuery(KeyDaysDocument, lastDays(DAYS))
  const error = keys.error ?? days.error
  const all = keys.data?.apiKeys ?? []
  const ofStatus = shown === 'live' ? all.filter(({ status }) => status === 'LIVE') : all
  const isFiltered = ofStatus.length >= FILTERED_ROWS_MIN
  const listed = isFiltered ? ofStatus.filter((key) => foundBy(key, filter)) : ofStatus
  const mintButton = mayChange ? (
    <Button kind="primary" refusal={refusal} onClick={() => setOpen({ dialog: 'mint' })}>
      New key
    </Button>
  ) : null
  return (
    <Page title="Keys" description="Keys that your programs use to call the gateway." action={mintButton}>
      {isFiltered && (
        <NameFilter label="Key" placeholder="Part of the name, label or key" value={filter} onChange={setFilter} />
      )}
      <Card
        title={keys.data ? `${listed.length} ${listed.length === 1 ? 'key' : 'keys'}` : 'Keys'}
        action={<Segments label="Which keys are listed" options={SHOWN} value={shown} onPick={setShown} />}
      >
        {keys.isPending && <Skeleton lines={5} />}
        {error && <ErrorBox error={error} onRetry={() => void Promise.all([keys.refetch(), days.refetch()])} />}
        {ofStatus.length > 0 && listed.length === 0 && (
          <EmptyState title="No key matches">Search for part of its name, its label or its beginning.</EmptyState>
        )}
        {keys.data && ofStatus.length === 0 && (
          <EmptyState title={all.length === 0 ? 'No keys yet' : 'No live keys'} action={mintButton}>
            A program needs a key for its calls. A key can be limited to scopes, models and a budget, and revoked at any
            time.
          </EmptyState>
        )}
        {listed.length > 0 && (
          <KeyTable
            keys={listed}
            all={all}
            days={callsByKey(days.data)}
            mayChange={mayChange}
            refusal={refusal}
            onAct={(dialog, key) => setOpen({ dialog, key })}
          />
        )}
      </Card>
      {open && <Dialogs open={open} all={all} onOpen={setOpen} />}
    </Page>
  )
}

type DialogsProps = {
  readonly open: Open
  readonly all: readonly Key[]
  readonly onOpen: (open: Open | null) => void
}

function Dialogs({ open, all, onOpen }: DialogsProps) {
  const mint = useChange(MintKeyDocument, 'company')
  const update = useChange(UpdateKeyDocument, 'company')
  const rotate = useChange(RotateKeyDocument, 'company')
  const revoke = useChange(RevokeKeyDocument, 'company')
  const close = () => onOpen(null)
  const showSecret = ({ secret, apiKey }: { readonly secret: string; readonly apiKey: Key }) =>
    onOpen({ dialog: 'secret', key: apiKey, secret })
  switch (open.dialog) {
    case 'mint': {
      const state = { change: mint, keys: all, onClose: close }
      const submit = (draft: KeyDraft) =>
        mint.mutate({ input: mintInput(draft) }, { onSuccess: ({ mintApiKey }) => showSecret(mintApiKey) })
      return <KeyDialog title="New key" action="Create key" initial={NEW_KEY} onSubmit={submit} {...state} />
    }
    case 'edit': {
      const { key } = open
      const initial = draftOf(key)
      const state = { change: update, keys: all, onClose: close }
      const submit = (draft: KeyDraft) =>
        update.mutate({ id: key.id, input: updateInput(initial, draft) }, { onSuccess: close })
      return <KeyDialog title={`Edit “${key.name}”`} action="Save" initial={initial} onSubmit={submit} {...state} />
    }
    case 'rotate': {
      const state = { change: rotate, onClose: close }
      const confirm = () =>
        rotate.mutate({ id: open.key.id }, { onSuccess: ({ rotateApiKey }) => showSecret(rotateApiKey) })
      return (
        <ConfirmDialog title={`Rotate “${open.key.name}”?`} action="Create the new key" onConfirm={confirm} {...state}>
          <p>
            A second key with the same settings and budget is created. The current one works until you revoke it, so
            your programs can switch without downtime.
          </p>
        </ConfirmDialog>
      )
    }
    case 'revoke': {
      const state = { change: revoke, onClose: close }
      const confirm = () => revoke.mutate({ id: open.key.id }, { onSuccess: close })
      return <RevokeDialog of={open.key} all={all} onConfirm={confirm} {...state} />
    }
    case 'secret':
      return <SecretDialog of={open.key} secret={open.secret} onClose={close} />
  }
}

/** Whether the text is part of what the table shows of the key. */
function foundBy({ name, label, hint }: Key, text: string): boolean {
  return [name, label ?? '', hint].some((part) => hasPart(part, text))
}

function callsByKey(data: KeyDaysQuery | undefined): ReadonlyMap<string, readonly number[]> {
  const days = Array.from({ length: DAYS }, (_, n) => utcDayStart(DAYS - 1 - n).slice(0, 10))
  const found = new Map<string, number[]>()
  for (const { group, subgroup, requests } of data?.usage.nodes ?? []) {
    const counts = found.get(group) ?? days.map(() => 0)
    const place = days.indexOf((subgroup ?? '').slice(0, 10))
    if (place >= 0) counts[place] = requests
    found.set(group, counts)
  }
  return found
}

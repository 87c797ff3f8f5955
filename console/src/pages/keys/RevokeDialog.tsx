import { Banner } from '../../parts/Banner.tsx'
import { type Change, ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { type Key, rotationOf } from './keyWords.ts'

type Props = {
  readonly of: Key
  readonly all: readonly Key[]
  readonly change: Change
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Shows which key it is: after a rotation, two keys have the same name. */
export function RevokeDialog({ of: key, all, ...dialog }: Props) {
  const { replaces, replacedBy } = rotationOf(key, all)
  return (
    <ConfirmDialog title={`Revoke “${key.name}”?`} action="Revoke" danger {...dialog}>
      <p>All calls with it are refused from now on. This cannot be undone.</p>
      {replaces?.status === 'LIVE' && (
        <Banner kind="warning">
          <span>
            This is the new key. The one that it replaces, <code>{replaces.hint}…</code>, stays live.
          </span>
        </Banner>
      )}
      <dl className="facts">
        <dt>Key</dt>
        <dd>
          <code>{key.hint}…</code>
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={key.createdAt} />
        </dd>
        <dt>Last used</dt>
        <dd>{key.lastUsedAt ? <Time at={key.lastUsedAt} relative /> : 'Never'}</dd>
        {replaces && (
          <>
            <dt>Replaces</dt>
            <dd>
              <code>{replaces.hint}…</code>
            </dd>
          </>
        )}
        {replacedBy && (
          <>
            <dt>Replaced by</dt>
            <dd>
              <code>{replacedBy.hint}…</code>
            </dd>
          </>
        )}
      </dl>
    </ConfirmDialog>
  )
}

import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { CreateWebhookEndpointDocument } from '../../graphql/generated.ts'
import { Field } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { SecretShownOnce } from '../../parts/SecretShownOnce.tsx'
import { MESSAGE_TYPES } from './billingWords.ts'

/** Creates an endpoint and shows its secret, which is shown only once. */
export function EndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<readonly string[]>(MESSAGE_TYPES)
  const [tried, setTried] = useState(false)
  const creation = useChange(CreateWebhookEndpointDocument, 'company')
  const secret = creation.data?.createWebhookEndpoint.secret
  const faults = {
    url: /^https?:\/\/./.test(url.trim()) ? undefined : 'Enter an address that begins with https://.',
    types: types.length > 0 ? undefined : 'Choose at least one type of message.',
  }
  const submit = () => {
    setTried(true)
    if (!faults.url && !faults.types) creation.mutate({ url: url.trim(), types })
  }
  if (secret) {
    return (
      <SecretShownOnce
        title="Endpoint secret"
        description="Your program uses it to verify the signature of each message. Copy it now: it is shown only once."
        secret={secret}
        what="the secret"
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog title="New endpoint" action="Create endpoint" change={creation} onSubmit={submit} onClose={onClose}>
      <Field
        label="Address"
        type="url"
        placeholder="https://billing.example/tollgate"
        autoComplete="off"
        value={url}
        fault={tried ? faults.url : undefined}
        onChange={({ target }) => setUrl(target.value)}
      />
      <fieldset>
        <legend>Messages</legend>
        {MESSAGE_TYPES.map((type) => (
          <label key={type} className="choice">
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ target }) =>
                setTypes(target.checked ? [...types, type] : types.filter((one) => one !== type))
              }
            />
            <code>{type}</code>
          </label>
        ))}
        {tried && faults.types && (
          <div className="field">
            <span className="fault">{faults.types}</span>
          </div>
        )}
      </fieldset>
    </FormDialog>
  )
}

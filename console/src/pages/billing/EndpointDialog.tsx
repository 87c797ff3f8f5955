import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { execute } from '../../api/execute.ts'
import { CreateWebhookEndpointDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field } from '../../parts/Field.tsx'
import { SecretShownOnce } from '../../parts/SecretShownOnce.tsx'
import { MESSAGE_TYPES } from './billingWords.ts'

/** Creates an endpoint and shows its secret, which is shown only once. */
export function EndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<readonly string[]>(MESSAGE_TYPES)
  const [tried, setTried] = useState(false)
  const creation = useMutation({
    mutationFn: () => execute(CreateWebhookEndpointDocument, { url: url.trim(), types }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['company'] }),
  })
  const secret = creation.data?.createWebhookEndpoint.secret
  const faults = {
    url: /^https?:\/\/./.test(url.trim()) ? undefined : 'Enter an address that begins with https://.',
    types: types.length > 0 ? undefined : 'Choose at least one type of message.',
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!faults.url && !faults.types) creation.mutate()
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
    <Dialog title="New endpoint" onClose={onClose} holds>
      <form onSubmit={submit} noValidate>
        <div className="scroll">
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
          {creation.error ? <ErrorBox error={creation.error} /> : null}
        </div>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={creation.isPending}>
            Create endpoint
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

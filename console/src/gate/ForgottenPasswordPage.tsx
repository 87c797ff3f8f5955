import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { execute } from '../api/execute.ts'
import { RequestPasswordResetDocument } from '../graphql/generated.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorBox } from '../parts/ErrorBox.tsx'
import { Field } from '../parts/Field.tsx'
import { GateFrame } from './GateFrame.tsx'

const TITLE = 'Forgot your password?'

/** Requests a password reset by mail. The answer does not reveal whether the address is known. */
export function ForgottenPasswordPage() {
  const [email, setEmail] = useState('')
  const asking = useMutation({ mutationFn: () => execute(RequestPasswordResetDocument, { email }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <GateFrame title={TITLE}>
      <form onSubmit={submit}>
        <h1>{TITLE}</h1>
        {asking.isSuccess ? (
          <p role="status">
            If {email} belongs to a user, a mail with a link is on its way. The link can be used once, within an hour.
          </p>
        ) : (
          <>
            <Field
              label="E-mail"
              type="email"
              name="email"
              autoComplete="username"
              required
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
            {asking.error ? <ErrorBox error={asking.error} /> : null}
            <Button kind="primary" type="submit" busy={asking.isPending}>
              Send the link
            </Button>
          </>
        )}
        <Link to="/sign-in" className="small">
          Back to sign-in
        </Link>
      </form>
    </GateFrame>
  )
}

import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { execute } from '../api/execute.ts'
import { signIn } from '../api/session.ts'
import { AcceptInvitationDocument, ResetPasswordDocument } from '../graphql/generated.ts'
import { Button } from '../parts/Button.tsx'
import { ErrorBox } from '../parts/ErrorBox.tsx'
import { Field } from '../parts/Field.tsx'
import { GateFrame } from './GateFrame.tsx'
import { useEntrance } from './useEntrance.ts'

type Texts = { readonly title: string; readonly explanation: string; readonly button: string; readonly again: string }

const INVITATION: Texts = {
  title: 'Accept the invitation',
  explanation: 'Choose a password for your account.',
  button: 'Accept and sign in',
  again: 'Ask the person who invited you for a new invitation.',
}
const RESET: Texts = {
  title: 'Choose a new password',
  explanation: 'You will be signed out everywhere else.',
  button: 'Save and sign in',
  again: 'Request a new link on the sign-in page.',
}

/** The page that an invitation links to. */
export function InvitationPage() {
  return <ChoosePassword texts={INVITATION} document={AcceptInvitationDocument} />
}

/** The page that a password reset links to. */
export function ResetPasswordPage() {
  return <ChoosePassword texts={RESET} document={ResetPasswordDocument} />
}

type Props = {
  readonly texts: Texts
  readonly document: typeof AcceptInvitationDocument | typeof ResetPasswordDocument
}

function ChoosePassword({ texts, document }: Props) {
  // The token is in the fragment of the link, so that no server logs it.
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'))
  const [password, setPassword] = useState('')
  const entering = useEntrance(async (chosen: { readonly token: string; readonly password: string }) => {
    const { login } = await execute(document, chosen)
    return signIn(login)
  })
  if (token === null) return <UselessLink texts={texts} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    entering.mutate({ token, password })
  }
  return (
    <GateFrame title={texts.title}>
      <form onSubmit={submit}>
        <h1>{texts.title}</h1>
        <p className="muted">{texts.explanation}</p>
        <Field
          label="Password"
          type="password"
          name="password"
          autoComplete="new-password"
          required
          hint="At least 10 characters."
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {entering.error ? <ErrorBox error={entering.error} /> : null}
        <Button kind="primary" type="submit" busy={entering.isPending}>
          {texts.button}
        </Button>
      </form>
    </GateFrame>
  )
}

function UselessLink({ texts: { title, again } }: { readonly texts: Texts }) {
  return (
    <GateFrame title={title}>
      <h1>{title}</h1>
      <p>This link is incomplete: the part behind the # is missing. Copy it from the mail as a whole. {again}</p>
      <Link to="/sign-in">Sign in</Link>
    </GateFrame>
  )
}

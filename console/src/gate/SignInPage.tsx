import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { demoUsersQuery, signIn } from '../api/session.ts'
import { Banner } from '../parts/Banner.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorBox } from '../parts/ErrorBox.tsx'
import { Field } from '../parts/Field.tsx'
import { roleName } from '../shell/roleName.ts'
import { GateFrame } from './GateFrame.tsx'
import { useEntrance } from './useEntrance.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { to, ended } = route.useSearch()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const entering = useEntrance(signIn, to)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    entering.mutate({ email, password })
  }
  return (
    <GateFrame
      title="Sign in"
      below={<DemoUsers busy={entering.isPending} onPick={(demoUser) => entering.mutate({ demoUser })} />}
    >
      <form onSubmit={submit}>
        <h1>Sign in</h1>
        {ended && <Banner>Your session has ended. Sign in again to continue where you left off.</Banner>}
        <Field
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {entering.error ? <ErrorBox error={entering.error} /> : null}
        <Button kind="primary" type="submit" busy={entering.isPending}>
          Sign in
        </Button>
        <Link to="/forgotten-password" className="small">
          Forgot your password?
        </Link>
      </form>
    </GateFrame>
  )
}

/** The demo users of a sandbox installation on this machine. */
function DemoUsers({ busy, onPick }: { readonly busy: boolean; readonly onPick: (email: string) => void }) {
  const { data } = useQuery(demoUsersQuery)
  if (!data || data.length === 0) return null
  return (
    <Card title="Demo users">
      <div className="inside stack">
        <p className="muted small">This is a sandbox on your machine, so its users sign in without a password.</p>
        {data.map((user) => (
          <Button key={user.email} disabled={busy} onClick={() => onPick(user.email)}>
            {roleName(user)} <span className="muted">{user.email}</span>
          </Button>
        ))}
      </div>
    </Card>
  )
}

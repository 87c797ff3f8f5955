import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { demoUsersQuery, type SessionUser, sessionQuery, signIn } from '../api/session.ts'
import icon from '../icon.svg'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorBox } from '../parts/ErrorBox.tsx'
import { Field } from '../parts/Field.tsx'
import { roleName } from './roleName.ts'

const route = getRouteApi('/sign-in')

/** The sign-in page. */
export function Gate() {
  const { to } = route.useSearch()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const queries = useQueryClient()
  const router = useRouter()
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: (user) => {
      // What another person saw in this browser must not show.
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, user)
      // GraphiQL is a page of the server, which this router does not have.
      if (to === '/graphql') window.location.assign(to)
      else router.history.push(to ?? startPage(user))
    },
  })
  useEffect(() => {
    document.title = 'Sign in · Tollgate'
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    entering.mutate({ email, password })
  }
  return (
    <main className="gate">
      <div>
        <p className="mark">
          <img src={icon} alt="" />
          Tollgate
        </p>
        <Card>
          <div className="inside">
            <form onSubmit={submit}>
              <h1>Sign in</h1>
              <Field
                label="E-mail"
                type="email"
                name="email"
                autoComplete="username"
                required
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
            </form>
          </div>
        </Card>
        <DemoUsers busy={entering.isPending} onPick={(demoUser) => entering.mutate({ demoUser })} />
      </div>
    </main>
  )
}

/** Auditors come for the statement; everybody else begins with the overview. */
function startPage(user: SessionUser | null): '/' | '/statement' {
  return user?.role === 'AUDITOR' ? '/statement' : '/'
}

/** In a sandbox installation on this machine: the users of the demo. */
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

import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { CreateProjectDocument, UpdateProjectDocument } from '../../graphql/generated.ts'
import { Field } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { LimitFields } from './LimitFields.tsx'
import { changesOf, draftOf, NEW_PROJECT, type ProjectDraft } from './projectForm.ts'
import { candidates, limitFaults, limitsIn, type Person, type Project } from './projectWords.ts'

type Props = {
  /** null for a new one. */
  readonly project: Project | null
  /** undefined until they are read. */
  readonly people: readonly Person[] | undefined
  readonly onClose: () => void
}

/** Creates or changes a project. Errors show after the first submit. */
export function ProjectDialog({ project, people, onClose }: Props) {
  const creation = useChange(CreateProjectDocument, 'company')
  const update = useChange(UpdateProjectDocument, 'company')
  const [initial] = useState(() => (project ? draftOf(project) : NEW_PROJECT))
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  const isNameless = draft.name.trim() === ''
  const faults = limitFaults(draft.limits)
  const submit = () => {
    setTried(true)
    if (isNameless || Object.keys(faults).length > 0) return
    if (project) {
      update.mutate({ id: project.id, input: changesOf(initial, draft) }, { onSuccess: onClose })
      return
    }
    const input = { name: draft.name.trim(), members: draft.members, limits: limitsIn(draft.limits) }
    creation.mutate({ input }, { onSuccess: onClose })
  }
  const change = (changed: Partial<ProjectDraft>) => setDraft((before) => ({ ...before, ...changed }))
  return (
    <FormDialog
      title={project ? `Change “${project.name}”` : 'New project'}
      action={project ? 'Save' : 'Create project'}
      change={project ? update : creation}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Name"
        placeholder="The team or the product"
        autoComplete="off"
        maxLength={100}
        value={draft.name}
        fault={tried && isNameless ? 'Give the project a name.' : undefined}
        onChange={({ target }) => change({ name: target.value })}
      />
      {people && (
        <Members
          people={candidates(people, initial.members)}
          members={draft.members}
          onChange={(members) => change({ members })}
        />
      )}
      <fieldset>
        <legend>Limits that all its keys share</legend>
        <div className="grouped">
          <LimitFields
            draft={draft.limits}
            faults={tried ? faults : {}}
            onChange={(changed) => change({ limits: { ...draft.limits, ...changed } })}
          />
        </div>
      </fieldset>
    </FormDialog>
  )
}

type MembersProps = {
  readonly people: readonly Person[]
  readonly members: readonly string[]
  readonly onChange: (members: readonly string[]) => void
}

function Members({ people, members, onChange }: MembersProps) {
  return (
    <fieldset>
      <legend>Members</legend>
      <p className="muted small">Developers among them see all keys of the project, with their usage and calls.</p>
      <div className="model-list">
        {people.map(({ id, email }) => (
          <label key={id} className="choice">
            <input
              type="checkbox"
              checked={members.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...members, id] : members.filter((member) => member !== id))
              }
            />
            <span>{email}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

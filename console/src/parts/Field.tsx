import { type ComponentProps, type ReactNode, useId } from 'react'

type Shared = { readonly label: string; readonly hint?: ReactNode; readonly fault?: string | undefined }

type Props = Shared & ComponentProps<'input'>

export function Field({ label, hint, fault, ...input }: Props) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        aria-invalid={fault ? true : undefined}
        {...describedBy(id, hint, fault)}
        {...input}
      />
      <Notes id={id} hint={hint} fault={fault} />
    </div>
  )
}

export type Option = { readonly value: string; readonly label: string }

type SelectProps = Shared &
  Omit<ComponentProps<'select'>, 'onChange'> & {
    readonly options: readonly Option[]
    readonly onPick?: (value: string) => void
  }

export function SelectField({ label, hint, fault, options, onPick, ...select }: SelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        className="input"
        id={id}
        {...describedBy(id, hint, fault)}
        {...(onPick ? { onChange: ({ target }) => onPick(target.value) } : {})}
        {...select}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} fault={fault} />
    </div>
  )
}

function describedBy(id: string, hint: ReactNode, fault: string | undefined) {
  return hint || fault ? { 'aria-describedby': `${id}-notes` } : {}
}

function Notes({
  id,
  hint,
  fault,
}: {
  readonly id: string
  readonly hint: ReactNode
  readonly fault: string | undefined
}) {
  if (!hint && !fault) return null
  return (
    <div id={`${id}-notes`} className={fault ? 'fault' : 'hint'}>
      {fault ?? hint}
    </div>
  )
}

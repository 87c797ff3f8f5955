import { DaysFilter } from '../../parts/DaysFilter.tsx'
import { SelectField } from '../../parts/Field.tsx'
import { TextFilter } from '../../parts/TextFilter.tsx'
import { titleOf, titlesOf, typeOf } from './eventTypes.ts'
import type { TrailSearch } from './trailSearch.ts'

type Props = {
  readonly search: TrailSearch
  readonly keys: ReadonlyMap<string, string>
  readonly users: ReadonlyMap<string, string>
  /** Those that are shown, whose types are suggested; undefined until they are read. */
  readonly entries: readonly { readonly type: string }[] | undefined
  readonly onChange: (changed: { readonly [Name in keyof TrailSearch]?: TrailSearch[Name] | undefined }) => void
}

const ALL = { value: '', label: 'All' }

export function TrailFilters({ search, keys, users, entries, onChange }: Props) {
  const optionsOf = (names: ReadonlyMap<string, string>) => [
    ALL,
    ...[...names].map(([value, label]) => ({ value, label })),
  ]
  return (
    <search className="filters">
      <SelectField
        label="Person"
        value={search.user ?? ''}
        options={optionsOf(users)}
        onPick={(user) => onChange({ user: user || undefined })}
      />
      <SelectField
        label="Key"
        value={search.key ?? ''}
        options={optionsOf(keys)}
        onPick={(key) => onChange({ key: key || undefined })}
      />
      <DaysFilter days={search.days} onPick={(days) => onChange({ days })} />
      <TextFilter
        label="Event"
        placeholder="All"
        value={titleOf(search.type ?? '')}
        names={entries && titlesOf(entries)}
        onPick={(title) => onChange({ type: typeOf(title) || undefined })}
      />
      <TextFilter
        label="Correlation id"
        placeholder="All"
        value={search.correlation ?? ''}
        onPick={(correlation) => onChange({ correlation: correlation || undefined })}
      />
    </search>
  )
}

import type { Option } from '../../parts/Field.tsx'
import type { KeyChoices } from './keyWords.ts'

/** The projects that a key can be put into, and the one that it is in. */
export function projectOptions(projects: KeyChoices['projects'], present: string): Option[] {
  const shown = projects
    .filter(({ id, archived }) => !archived || id === present)
    .map(({ id, name }) => ({ value: id, label: name }))
  // The developer who minted the key may have left the project since.
  if (present === '' || shown.some(({ value }) => value === present)) return shown
  return [{ value: present, label: 'A project that you are not a member of' }, ...shown]
}

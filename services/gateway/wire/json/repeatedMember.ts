import { endOfValue, listMembers, type MemberCount, skipSpace } from './jsonMembers.ts'

const COMMA = 0x2c
const OPEN_BRACKET = 0x5b

/**
 * The path of a member that occurs twice in its object, at any depth; null if there is none. A parser keeps one of the
 * two, and a provider might read the other one. The bytes are known to be JSON, `parsed` is what they say, and
 * `members` the number of their members, repeated ones included. `isLooked` names the fields of the outermost object
 * that matter; all do by default.
 */
export function repeatedMember(
  json: Buffer,
  parsed: unknown,
  { members }: MemberCount,
  isLooked?: (name: string) => boolean,
): string | null {
  // A parsed object has each name once, so the counts differ exactly if a name was repeated.
  return members === membersOf(parsed) ? null : pathOfRepeated(json, 0, '', isLooked)
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const each of value) if (typeof each === 'object') members += membersOf(each)
    return members
  }
  const object = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(object)) members += 1 + membersOf(object[name])
  return members
}

function pathOfRepeated(
  json: Buffer,
  start: number,
  path: string,
  isLooked?: (name: string) => boolean,
): string | null {
  const at = skipSpace(json, start)
  if (json[at] === OPEN_BRACKET) return inArray(json, at, path)
  const seen = new Set<string>()
  for (const { name, valueStart } of listMembers(json, at) ?? []) {
    if (isLooked?.(name) === false) continue
    const member = path === '' ? name : `${path}.${name}`
    if (seen.has(name)) return member
    seen.add(name)
    const inside = pathOfRepeated(json, valueStart, member)
    if (inside !== null) return inside
  }
  return null
}

function inArray(json: Buffer, start: number, path: string): string | null {
  let at = start
  for (let position = 0; at < json.length; position++) {
    const valueStart = skipSpace(json, at + 1)
    const inside = pathOfRepeated(json, valueStart, `${path}[${position}]`)
    if (inside !== null) return inside
    at = skipSpace(json, endOfValue(json, valueStart))
    if (json[at] !== COMMA) break
  }
  return null
}

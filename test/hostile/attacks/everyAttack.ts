import type { AttackedRoute } from '../routes.ts'
import type { WireCase } from '../wireCase.ts'
import { bodyAttacks } from './bodies.ts'
import { doorAttacks } from './doors.ts'
import { framingAttacks } from './framing.ts'
import { headAttacks } from './heads.ts'

/** Every attack on every one of these routes. */
export function everyAttack(routes: readonly AttackedRoute[]): WireCase[] {
  return routes.flatMap((route) => [
    ...doorAttacks(route),
    ...framingAttacks(route),
    ...headAttacks(route),
    ...bodyAttacks(route),
  ])
}

/** The attack without its route and field. */
export function attackName({ name }: WireCase): string {
  return name.slice(name.indexOf(': ') + 2).replace(/ \(\w+\)$/, '')
}

/** The route without the attack. */
export function routeName({ name }: WireCase): string {
  return name.slice(0, name.indexOf(': '))
}

/** A sample: every attack on some route, and several attacks on every route. */
export function fewerOf(cases: readonly WireCase[], perRouteMin: number): WireCase[] {
  const timesTried = new Map<string, number>()
  const counted = (name: string) => timesTried.get(name) ?? 0
  return cases.filter((each, at) => {
    const [attack, route] = [attackName(each), routeName(each)]
    // The stride moves the choice by one attack from route to route.
    const isChosen = counted(attack) === 0 || (counted(route) < perRouteMin && at % 7 === 0)
    if (!isChosen) return false
    timesTried.set(attack, counted(attack) + 1).set(route, counted(route) + 1)
    return true
  })
}

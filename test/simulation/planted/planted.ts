import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorldName } from '../world.ts'

/** A patch that brings a likely bug back. Its first lines name the smallest world that finds it and what it breaks. */
export type Planted = {
  readonly name: string
  readonly file: string
  readonly world: WorldName
  readonly breaks: string
}

const FOLDER = import.meta.dirname
const ENDING = '.patch'

export function readPlanted(): Planted[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8')
      const world = /^World: ([ABC])$/m.exec(text)?.[1] as WorldName | undefined
      const breaks = /^Breaks: (.+)$/m.exec(text)?.[1]
      if (!world || !breaks) throw new Error(`${file} must begin with a line "World: …" and a line "Breaks: …"`)
      return { name: file.slice(0, -ENDING.length), file: join(FOLDER, file), world, breaks }
    })
}

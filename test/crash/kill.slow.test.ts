import { test } from 'vitest'
import { CALLERS, killAndCompareBooks } from './killRounds.ts'

const KILLS = 20

test(`${KILLS} kills with ${CALLERS} calls in flight lose no charge and invent none`, () => killAndCompareBooks(KILLS))

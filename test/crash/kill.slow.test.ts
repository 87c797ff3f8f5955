import { test } from 'vitest'
import { CALLERS, killAndCompareBooks } from './killRounds.ts'

/** The short soak of .ci/run kills under load too, and its simulations kill at any step. */
const KILLS = 8

test(`${KILLS} kills with ${CALLERS} calls in flight lose no charge and invent none`, () => killAndCompareBooks(KILLS))

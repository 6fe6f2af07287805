import type { ReadyMadeName } from '../../../rules/ready-made.ts'

export const RULES = '/console/settings/rules'

/** The page of one rule. */
export const rulePath = (id: string) => `${RULES}/${id}`

/** A new rule, filled in as a ready-made one is. */
export const readyMadePath = (name: ReadyMadeName) => `${RULES}/new?from=${name}`

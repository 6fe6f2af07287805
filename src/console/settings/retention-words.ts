import type { RetentionRule } from '../../kinds/retention.ts'
import type { ConsoleWords } from '../words/index.ts'

/** What a rule is about: one without words does not compile. */
export const wordOfRule = (rule: RetentionRule): `kept_${RetentionRule}` & keyof ConsoleWords => `kept_${rule}`

/** From when its days are counted, and what goes with it. */
export const helpOfRule = (rule: RetentionRule): `kept_${RetentionRule}_help` & keyof ConsoleWords =>
  `kept_${rule}_help`

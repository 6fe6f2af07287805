import type { Plural } from '../../words/sentences.ts'

/** A word for each rule of a list of `errors/rules.ts`: one that is missing does not compile. */
export type RuleWords<L> = { readonly [K in keyof L & string as `rule_${K}`]: string | Plural }

import { sayRule } from '../../rules.ts'
import type { SayConsole } from '../../words/index.ts'

type Say = (say: SayConsole, parts: readonly string[]) => string

/** What operations on drafts refuse, and the sentence that the console says for it. */
const sentences: readonly (readonly [said: RegExp, sentence: Say])[] = [
  [/^somebody else changed the form meanwhile/, (say) => say('ruleSomebodyElse')],
  [/^there is nothing to undo$/, (say) => say('ruleNothingToUndo')],
  [/^there is nothing to redo$/, (say) => say('ruleNothingToRedo')],
  [/^must not be blank$/, (say) => say('ruleBlank')],
  [/^is required$/, (say) => say('ruleBlank')],
  [/^must be 1 to 255 characters and not blank$/, (say) => say('rule_name')],
  [/^must be at most (\d+) characters$/, (say, [count]) => say('ruleCharacters', { count: Number(count) })],
  [/^"(.*)" is listed twice$/s, (say, [text = '']) => say('ruleTwice', { text })],
  [/^at least (\d+) .* (?:is|are) required$/, (say, [count]) => say('ruleAtLeast', { count: Number(count) })],
  [/^at most (\d+) items are allowed$/, (say, [count]) => say('ruleAtMost', { count: Number(count) })],
  [/^at most (\d+) questions are allowed/, (say, [count]) => say('ruleQuestions', { count: Number(count) })],
  [
    /^must be between (-?\d+) and (-?\d+)$/,
    (say, [least, most]) => say('ruleBetween', { least: Number(least), most: Number(most) }),
  ],
  [/^must not be greater than maxSelections$/, (say) => say('ruleSelections')],
  [/^must be less than scaleEnd$/, (say) => say('ruleScale')],
  [/^must be at most (\d+) above scaleStart$/, (say, [count]) => say('ruleScaleEnd', { count: Number(count) })],
  [/^must be upper snake case/, (say) => say('ruleFriendlyId')],
  [/^(\w+) is already used by /, (say, [name = '']) => say('ruleFriendlyIdTaken', { name })],
  [/^the formula cannot be read/, (say) => say('ruleFormula')],
  [/^".*" is not a friendlyId in braces/s, (say) => say('ruleFormula')],
  [/^the formula may hold numbers/, (say) => say('ruleFormula')],
  [/^no question of the form has the friendlyId (\w+)$/, (say, [name = '']) => say('ruleFormulaUnknown', { name })],
  [/^the question (\w+) gives no number$/, (say, [name = '']) => say('ruleFormulaNumber', { name })],
  [/^at least one page is required$/, (say) => say('ruleOnePage')],
  [
    /^(?:the HTML of a form |the sanitised HTML of a form |a form must hold at most \d+ tags)/,
    (say) => say('ruleHtml'),
  ],
  [/^the options, rows, columns and scales of a form must not/, (say) => say('rulePageSize')],
]

/** What an operation on a draft refused, in the reader's language. */
export function sayFormRule(say: SayConsole, rule: string): string {
  for (const [said, sentence] of sentences) {
    const found = said.exec(rule)
    if (found) return sentence(say, found.slice(1))
  }
  return sayRule(say, rule)
}

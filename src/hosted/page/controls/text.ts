import { html } from '../../../lib/html/markup.ts'
import type { Words } from '../../words/index.ts'
import { type Asked, type Control, named } from './types.ts'

type Hint = keyof Pick<Words, 'urlHint' | 'integerHint' | 'lettersHint'>
type Limitation = NonNullable<Asked<'textbox'>['settings']['inputLimitation']>

/** The keyboard that a phone shows, and what the browser may fill in. */
const kinds: Record<Limitation, { type: string; mode: string; fill: string; hint: Hint | null }> = {
  email: { type: 'email', mode: 'email', fill: 'email', hint: null },
  telephone: { type: 'tel', mode: 'tel', fill: 'tel', hint: null },
  url: { type: 'url', mode: 'url', fill: 'url', hint: 'urlHint' },
  integer: { type: 'text', mode: 'numeric', fill: 'off', hint: 'integerHint' },
  letters: { type: 'text', mode: 'text', fill: 'off', hint: 'lettersHint' },
}

export const textbox: Control<'textbox'> = {
  render(question) {
    const { rows, inputLimitation } = question.settings
    if (rows > 1)
      return html`<textarea class="text" rows="${Math.min(rows, 20)}" maxlength="10000" data-limitation="${inputLimitation ?? ''}" ${named(question)}></textarea>`
    const { type, mode, fill } = inputLimitation ? kinds[inputLimitation] : { type: 'text', mode: 'text', fill: 'on' }
    return html`<input class="text" type="${type}" inputmode="${mode}" autocomplete="${fill}" maxlength="10000" data-limitation="${inputLimitation ?? ''}" ${named(question)}>`
  },
  hint({ settings }, { words }) {
    const hint = settings.inputLimitation && kinds[settings.inputLimitation].hint
    return hint && words[hint]
  },
}

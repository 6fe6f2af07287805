import type { End } from '../../../../forms/logic/model.ts'
import { html, type Insert, type Markup } from '../../../../lib/html/markup.ts'
import { cut } from '../../../../lib/text/one-line.ts'
import { field, select } from '../../../components/forms.ts'
import type { FormFields } from '../../../form-fields.ts'
import { icons } from '../../../icons.ts'
import type { Again, Visit } from '../../../visit.ts'
import { type Built, buildPath, lineOf, placedQuestions } from '../draft.ts'
import { editor, type Pane, richText } from '../panes.ts'
import { tool } from '../tool.ts'
import { usualShowIf } from './draft.ts'
import { endLogic, showIfIn } from './section.ts'
import { conditionsSentence } from './sentence.ts'
import { sourcesOf } from './sources.ts'
import { type Warnings, warned } from './warned.ts'

/* How a form ends: the first whose conditions hold, and else as its settings say. */

/** Of the text of an end, so many characters are told. */
const MOST = 60

/** The ends of a form, below its pages in the outline. */
export function endsOutline(visit: Visit, built: Built, show: string, warnings: Warnings): Markup {
  const { form, draft } = built
  const { say } = visit.wording
  const sources = sourcesOf(visit, built)
  const rows = draft.ends.map((end, index) => {
    const number = index + 1
    const own = `end-${number}`
    const when = end.showIf ? conditionsSentence(visit, sources, end.showIf) : say('logicEndsOtherwise')
    return html`<li><a class="part" href="${visit.href(buildPath(form.id, own))}"${show === own && html` aria-current="true"`} data-show="${own}"><span class="number">${icons.flag}</span><span class="asked" dir="auto">${endText(end) || say('logicEndNumber', { number })}</span></a>
<p class="shown-when" dir="auto">${end.showIf ? say('logicEndsWhen', { conditions: when }) : when}${warned(visit, warnings.ends.get(index))}</p>
<div class="row-foot"><span class="row-facts">${say('logicEndNumber', { number })}</span><div class="row-tools">${[
      tool(`end-up ${number}`, icons.up, say('logicEndUp', { number }), index === 0),
      tool(`end-down ${number}`, icons.down, say('logicEndDown', { number }), number === draft.ends.length),
      tool(`end-remove ${number}`, icons.bin, say('logicEndRemove', { number })),
    ]}</div></div></li>`
  })
  return html`<div class="form-ends"><h2 id="ends-title">${say('logicEnds')}</h2><ol class="form-questions ends-list" aria-labelledby="ends-title">${rows}<li><a class="part" href="${visit.href(`/console/forms/${form.id}/settings`)}"><span class="number">${icons.flag}</span><span class="asked">${say(draft.ends.length === 0 ? 'logicEndUsualThanks' : 'logicEndUsualElse')}</span></a></li></ol>
<button class="add" form="do" name="do" value="end-add">${icons.plus}<span>${say('logicEndAdd')}</span></button></div>`
}

/** What an end shows, in a line. */
export function endText({ thanks, redirect }: End): string {
  const text = redirect ?? lineOf(thanks)
  return text.length > MOST ? `${cut(text, MOST)}…` : text
}

export function endPane(visit: Visit, built: Built, index: number, again?: Again): Pane {
  const { say } = visit.wording
  const end = built.draft.ends[index] as End
  const number = index + 1
  const kind = end.redirect === null ? 'thanks' : 'redirect'
  return {
    title: say('logicEndNumber', { number }),
    body: editor(visit, built, `${buildPath(built.form.id)}/ends/${number}`, end, [
      endLogic(visit, built, end, again),
      html`<div class="end-kinds stack">${select(visit, {
        name: 'kind',
        label: say('logicEndKind'),
        options: [
          ['thanks', say('logicEndThanks')],
          ['redirect', say('logicEndRedirect')],
        ],
        value: kind,
        again,
      })}${part('thanks', [richText(visit, { name: 'thanks', label: say('logicEndText'), value: end.thanks, rows: 4, again }), namesHelp(visit, built)])}${part(
        'redirect',
        field(visit, {
          name: 'redirect',
          label: say('logicEndAddress'),
          help: say('logicEndAddressHelp'),
          placeholder: 'https://example.com/thanks',
          value: end.redirect,
          again,
        }),
      )}</div>`,
      built.draft.ends.length > 1 && html`<p class="help">${say('logicEndsFirst')}</p>`,
    ]),
  }
}

/** Of the names that a text can have in braces, so many are told. */
const MOST_NAMES = 20

/** What the text of an end can name: computed numbers, answers and hidden values. */
function namesHelp(visit: Visit, built: Built): Insert {
  const names = [
    ...built.draft.variables.map(({ name }) => name),
    ...placedQuestions(built.draft).flatMap(({ question: { friendlyId } }) => friendlyId ?? []),
    ...built.form.settings.hidden.map((name) => `hidden.${name}`),
  ].map((name) => `{${name}}`)
  if (names.length === 0) return null
  const told = [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['…'] : [])].join(', ')
  return html`<p class="help">${visit.wording.say('logicEndNames', { names: told })}</p>`
}

/** Of the text and the address, the one that was not chosen is hidden by the style, without a script. */
const part = (kind: string, content: Insert) => html`<div class="end-${kind}">${content}</div>`

/** An end as its form says. */
export function sentEnd(visit: Visit, built: Pick<Built, 'form' | 'draft'>, sent: FormFields, before: End): End {
  const isRedirect = sent.text('kind') === 'redirect'
  return {
    showIf: showIfIn(visit, built, sent, before.showIf, Infinity),
    thanks: isRedirect ? null : sent.text('thanks') || null,
    redirect: isRedirect ? sent.text('redirect') || null : null,
  }
}

/** An end to begin with, under the condition that is likely: without one, those below it would never be reached. */
export function newEnd(visit: Visit, built: Pick<Built, 'form' | 'draft'>): End {
  const showIf = usualShowIf(sourcesOf(visit, built))
  return { showIf, thanks: visit.wording.say('logicEndStarter'), redirect: null }
}

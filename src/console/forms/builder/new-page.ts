import { invalid, rule } from '../../../errors.ts'
import { formExamples } from '../../../forms/examples.ts'
import { checkTitle, FormCreate } from '../../../forms/model.ts'
import { createForm, listForms } from '../../../forms/operations.ts'
import { checkValue } from '../../../http/requests/validation.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { backLink, card, pageHead, time } from '../../components/display.ts'
import { button, field, form } from '../../components/forms.ts'
import { pager, table } from '../../components/lists.ts'
import type { FormFields } from '../../form-fields.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../../visit.ts'
import { buildPath } from './draft.ts'

const PATH = '/console/forms/new'
/** Of the forms that can be copied. */
const PAGE = 10

const templates = ['short', 'survey', 'registration', 'application'] as const

/** Three ways to begin a form: with nothing, with an example, with a copy of another. */
export async function newFormPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  return {
    title: say('formNew'),
    body: html`${backLink(visit, '/console/forms', say('navForms'))}
${pageHead(say('formNew'), null, say('formNewIntro'))}
<div class="beginnings">
${card(
  say('formNewEmpty'),
  form(visit, { action: PATH }, [
    field(visit, { name: 'title', label: say('set_title'), required: true, maxLength: 255, again }),
    button(say('formNewCreate')),
  ]),
)}
${card(say('formNewTemplates'), html`<p class="help">${say('formNewTemplatesHelp')}</p>${form(visit, { action: PATH }, html`<ul class="templates">${templates.map((name) => template(visit, name))}</ul>`)}`)}
</div>
${card(say('formNewCopy'), await others(visit))}`,
  }
}

function template({ wording: { say } }: Visit, name: (typeof templates)[number]): Markup {
  return html`<li><div><strong>${say(`template_${name}`)}</strong><p class="help">${say(`template_${name}_help`)}</p></div>${button(
    html`${say('formNewUse')}<span class="sr">: ${say(`template_${name}`)}</span>`,
    { kind: 'secondary', name: 'template', value: name },
  )}</li>`
}

async function others(visit: Visit): Promise<Markup> {
  const { db, principal, query, wording } = visit
  const { say } = wording
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = await listForms(db, principal.tenantId, page, {})
  return html`${table({
    caption: say('formNewCopy'),
    hidesCaption: true,
    columns: [{ label: say('formsTitle') }, { label: say('formsChanged') }, { label: say('actions'), kind: 'actions' }],
    rows: items.map(({ id, title, updatedAt }) => [
      title,
      time(visit, updatedAt, 'date'),
      form(
        visit,
        { action: `/console/forms/${id}/copy`, inline: true },
        button([say('formCopy'), html`<span class="sr">: ${title}</span>`], { kind: 'quiet' }),
      ),
    ]),
    empty: say('formNewNoOthers'),
  })}${pager(visit, nextCursor)}`
}

/** Makes the form, and leads to where it is built. */
export async function createNewForm(visit: Visit, sent: FormFields): Promise<Redirect> {
  const input = inputIn(sent)
  const { id } = await visit.change((tx, caller) => createForm(tx, caller, input))
  return redirectTo(buildPath(id), visit.wording.say('formCreatedNow'))
}

function inputIn(sent: FormFields): FormCreate {
  if (!sent.has('template')) return { title: checkTitle(sent.text('title')) }
  const example = templates.find((name) => name === sent.text('template'))
  if (!example) throw invalid('template', rule('one_of', { choices: templates.join(', ') }))
  return checkValue(FormCreate, { ...formExamples[example]?.value, active: false })
}

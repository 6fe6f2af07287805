import { checkTitle, type Form } from '../../../../forms/model.ts'
import { createForm, listForms } from '../../../../forms/operations.ts'
import { html, type Markup } from '../../../../lib/html/markup.ts'
import { backLink, card, pageHead, time } from '../../../components/display.ts'
import { button, field, form } from '../../../components/forms.ts'
import { pager, table } from '../../../components/lists.ts'
import type { FormFields } from '../../../form-fields.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../../../visit.ts'
import { buildPath } from '../draft.ts'
import { fileCard } from './file.ts'
import { createFromTemplate, templateChoice } from './template-choice.ts'

const PATH = '/console/forms/new'
/** Of the forms that can be copied. */
const PAGE = 10

/** Four ways to begin a form: with nothing, with a template, with a copy of another, with a file. */
export async function newFormPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  return {
    title: say('formNew'),
    body: html`${backLink(visit, '/console/forms', say('navForms'))}
${pageHead(say('formNew'), null, say('formNewIntro'))}
${card(
  say('formNewEmpty'),
  form(visit, { action: PATH }, [
    field(visit, { name: 'title', label: say('set_title'), required: true, maxLength: 255, again }),
    button(say('formNewCreate')),
  ]),
)}
${card(say('formNewTemplates'), templateChoice(visit, PATH, again))}
${card(say('formNewCopy'), await others(visit))}
${fileCard(visit, again)}`,
  }
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
  const { id } = sent.has('template') ? await createFromTemplate(visit, sent) : await createEmpty(visit, sent)
  return redirectTo(buildPath(id), visit.wording.say('formCreatedNow'))
}

function createEmpty({ change }: Visit, sent: FormFields): Promise<Form> {
  const title = checkTitle(sent.text('title'))
  return change((tx, caller) => createForm(tx, caller, { title }))
}

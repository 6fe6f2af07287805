import { fullName } from '../../../contacts/full-name.ts'
import { getContact } from '../../../contacts/read.ts'
import { AppError } from '../../../errors.ts'
import { fillHtml } from '../../../forms/logic/texts.ts'
import { languageName } from '../../../help/words/index.ts'
import { html, type Insert, type Markup, trustedHtml } from '../../../lib/html/markup.ts'
import { type FoundResponse, findResponse } from '../../../responses/lookup.ts'
import type { Response } from '../../../responses/model.ts'
import { valuesInResponse } from '../../../responses/said.ts'
import { backLink, badge, card, definitions, emptyState, pageHead, time } from '../../components/display.ts'
import type { PageContent, View, Visit } from '../../visit.ts'
import { answerMarkup } from './answers.ts'

/** One response, whole: where the link of a notification leads. */
export async function responsePage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, wording } = visit
  const found = await findResponse(db, principal.tenantId, params.id ?? '')
  const { form, response } = found
  const hidden = Object.entries(response.hiddenFields)
  const variables = Object.keys(response.variables)
  const title = wording.say('responseTitle')
  return {
    title: `${title} · ${form.title}`,
    width: 'narrow',
    body: html`${backLink(visit, `/console/forms/${form.id}/responses`, wording.say('responseBack', { form: form.title }))}
${pageHead(title, null, statusBadge(visit, response))}
${definitions([
  [wording.say('responseStarted'), time(visit, response.startedAt)],
  [wording.say('responseSubmitted'), response.submittedAt && time(visit, response.submittedAt)],
  [wording.say('responseContact'), await contactLink(visit, response.contactId)],
  [wording.say('responseScore'), score(visit, response)],
  [
    wording.say('responseLanguage'),
    response.language === form.language ? null : languageName(response.language, wording.locale),
  ],
])}
${answers(visit, found)}
${variables.length > 0 && card(wording.say('responseVariables'), definitions(variables.map((name) => [name, variableText(visit, response, name)])))}
${hidden.length > 0 && card(wording.say('responseHidden'), definitions(hidden))}`,
  }
}

export function statusBadge({ wording }: View, { status }: Pick<Response, 'status'>): Markup {
  return status === 'complete'
    ? badge(wording.say('responseComplete'), 'good')
    : badge(wording.say('responsePartial'), 'warn')
}

/** How many points there were, where anything scores. */
export function score({ wording }: View, { scores: { total, max, percentage } }: Response): string | null {
  return percentage === null ? null : wording.say('responsePoints', { total, max, percentage })
}

/** What a variable came to; of one that was not computed then, nothing. */
export function variableText({ wording }: View, { variables }: Response, name: string): string {
  return Object.hasOwn(variables, name) ? wording.write(variables[name] as number) : '–'
}

function answers(visit: Visit, { form, response, questions }: FoundResponse): Markup {
  const { say } = visit.wording
  if (response.answers.length === 0)
    return emptyState(say(response.status === 'complete' ? 'responseBlank' : 'responseEmpty'))
  const byId = new Map(questions.map((question, index) => [question.id, { question, number: index + 1 }]))
  const valueFor = valuesInResponse(form, questions, response, visit.wording.locale)
  const parts = response.answers.map(({ questionId, questionText, value }) => {
    const asked = byId.get(questionId)
    if (!asked) return null
    const text =
      questionText === ''
        ? say('formQuestion', { number: asked.number })
        : trustedHtml(fillHtml(questionText, valueFor))
    return html`<section class="answer"><h2 dir="auto">${text}</h2>${answerMarkup(visit, asked.question, value)}</section>`
  })
  return html`<div class="card answers">${parts}</div>`
}

/** Whoever gave their email; nothing once the contact has been deleted. */
async function contactLink(visit: Visit, id: string | null): Promise<Insert> {
  if (id === null) return null
  try {
    const contact = await getContact(visit.db, visit.principal.tenantId, id)
    const [name, email] = [fullName(contact), contact.email]
    return html`<a href="${visit.href(`/console/contacts/${id}`)}">${name || email}</a>${name !== '' && html` <small>${email}</small>`}`
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

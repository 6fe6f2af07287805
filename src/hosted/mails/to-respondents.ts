import { type SystemLetter, systemMail } from '../../channels/email/system/letter.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { type FormRecord, formRecordOf } from '../../forms/operations.ts'
import type { FormPage, FormQuestion } from '../../forms/pages.ts'
import type { ContactFieldName } from '../../forms/question-types/index.ts'
import { revisionOf } from '../../forms/revisions.ts'
import { translatedInto } from '../../forms/texts/read.ts'
import { html, trustedHtml } from '../../lib/html/markup.ts'
import { htmlOfText } from '../../lib/html/sanitise.ts'
import { LATER_TOKEN, LINK_KEPT, laterToken } from '../../responses/later.ts'
import type { RespondentMail } from '../../responses/notifications/sending.ts'
import { readableResponse } from '../../responses/readable.ts'
import { openResponse } from '../../responses/rows.ts'
import { nameOfTenant } from '../../tenants/operations.ts'
import { subjectOf } from '../../tickets/thread/content.ts'
import { formIn, withPresets } from '../localised.ts'
import { contactLabel } from '../page/controls/contact-details.ts'
import { wordsOf } from '../words/index.ts'
import { answerIn } from './answers.ts'
import { type MailWording, mailWordsOf } from './words.ts'

type Letter = Pick<SystemLetter, 'subject' | 'text' | 'html'>

/** A mail to a respondent, in the language that they read (decisions §21): their answers, or a link to go on with them. */
export const respondentMailOf: RespondentMail = async (deps, due) => {
  const { tenantId, id, formId, responseId, kind, address, createdAt } = due
  const { db } = deps.database
  const own = await formRecordOf(db, tenantId, formId)
  const [response] = await openResponse(db).execute({ tenantId, formId, id: responseId })
  if (!response) throw notFound('response')
  const language = response.language ?? own.language
  const { revision } = response
  const asked = await revisionOf(db, tenantId, own, revision)
  const { title, pages } = await formIn(db, { ...own, tenantId, formId }, language, asked)
  // As if the form were what the respondent was asked, in their language.
  const form = { ...own, title, pages: withLabels(pages, language), revision, language }
  const tenantName = await nameOfTenant(db, tenantId)
  const write = kind === 'copy' ? copyOf : linkOf
  const letter = await write(deps, due, { form, tenantName, wording: mailWordsOf(language) })
  const mail = {
    ...letter,
    subject: subjectOf(letter.subject),
    fromName: tenantName,
    to: { name: null, email: address },
    at: Date.parse(createdAt),
  }
  return systemMail(deps, { kind: 'notification', id }, mail)
}

/** What the page says by itself, a mail has to be given. */
function withLabels(pages: readonly FormPage[], language: string): FormPage[] {
  const wording = wordsOf(language)
  let number = 0
  const labelled = (untitled: FormQuestion): FormQuestion => {
    number += 1
    const question: FormQuestion = { ...untitled, text: untitled.text || wording.say('question', { number }) }
    if (question.type !== 'contact_details') return question
    const fields = question.contactFields as { field: ContactFieldName; label: string | null }[]
    const contactFields = fields.map((one) => ({ ...one, label: one.label ?? contactLabel(one.field, wording) }))
    return { ...question, contactFields }
  }
  return withPresets(pages, language).map((page) => ({ ...page, questions: page.questions.map(labelled) }))
}

type WriteLetter = (
  deps: Pick<Deps, 'config' | 'database' | 'secrets'>,
  due: Parameters<RespondentMail>[1],
  about: { form: FormRecord; tenantName: string; wording: MailWording },
) => Promise<Letter>

const copyOf: WriteLetter = async ({ database }, { tenantId, responseId }, { form, tenantName, wording }) => {
  const { answers } = await readableResponse(database.db, tenantId, form, responseId, (question, answer) =>
    answerIn(wording, question, answer),
  )
  const { say } = wording
  const intro = say('copyIntro', { name: tenantName })
  return {
    subject: say('copySubject', { form: form.title }),
    text: [
      intro,
      ...answers.map(({ question, answer }) => `${question}\n${answer.replace(/^/gm, '  ')}`),
      say('notYou'),
      '',
    ].join('\n\n'),
    html: inLanguage(
      wording,
      html`<p>${intro}</p>
${answers.map(
  ({ question, answer }) => html`<p><strong>${question}</strong></p>
<blockquote>${trustedHtml(htmlOfText(answer))}</blockquote>
`,
)}<p><small>${say('notYou')}</small></p>
`,
    ),
  }
}

const linkOf: WriteLetter = async (
  { config, database, secrets },
  { tenantId, formId, responseId, createdAt },
  { form, tenantName, wording },
) => {
  const { say, locale } = wording
  const until = Date.parse(createdAt) + LINK_KEPT
  const token = laterToken(secrets, { tenantId, formId, responseId, until })
  const others = await translatedInto(database.db, tenantId, formId)
  const spoken = others.length > 0 ? `lang=${form.language}&` : ''
  const link = `${config.baseUrl}/f/${form.launchCode}?${spoken}${LATER_TOKEN}=${token}`
  const intro = say('laterIntro', { form: form.title, name: tenantName })
  // The day before the last one ends everywhere: whoever reads it is in a time zone that we do not know.
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(until)
  const works = say('laterUntil', { date })
  return {
    subject: say('laterSubject', { form: form.title }),
    text: [intro, link, works, say('notYou'), ''].join('\n\n'),
    html: inLanguage(
      wording,
      html`<p>${intro}</p>
<p><a href="${link}">${say('laterOpen')}</a></p>
<p>${works}</p>
<p><small>${say('notYou')}</small></p>
`,
    ),
  }
}

function inLanguage({ language, direction }: MailWording, content: ReturnType<typeof html>): string {
  return html`<div lang="${language}" dir="${direction}">${content}</div>`.text
}

import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import type { Files } from '../files/files.ts'
import type { Form } from '../forms/model.ts'
import { createForm, formRecordOf } from '../forms/operations.ts'
import { closeForm, publishForm, trashForm } from '../forms/publishing.ts'
import { changeSettings } from '../forms/settings/operations.ts'
import { changeTexts } from '../forms/texts/operations.ts'
import { textSheet } from '../forms/texts/read.ts'
import type { GivenAnswer } from '../responses/answers.ts'
import { continueResponse, startResponse } from '../responses/collection.ts'
import { tellOfPartials, timeToTell } from '../responses/partial.ts'
import { useUploads } from '../uploads/operations.ts'
import { type Respondent, someMood } from './answers.ts'
import type { Company } from './company.ts'
import { type DemoForm, demoForms } from './forms/index.ts'
import type { DemoContact } from './people.ts'
import { Random } from './random.ts'
import { attach } from './tickets/attachments.ts'
import { DAY, HOUR, MINUTE, momentBetween, type Step } from './timeline.ts'

/** How the forms were made, published, closed and answered. */
export function formSteps(company: Company, people: readonly DemoContact[], files: Files, now: number): Step[] {
  return demoForms.flatMap((form) => stepsOf(company, form, people, files, now))
}

function stepsOf(company: Company, demo: DemoForm, people: readonly DemoContact[], files: Files, now: number): Step[] {
  const random = new Random(`form ${demo.form.title}`)
  const times = new Random(`times of ${demo.form.title}`)
  const invited = new Random(`campaigns of ${demo.form.title}`)
  const speaking = new Random(`languages of ${demo.form.title}`)
  const created = now - demo.createdDaysAgo * DAY
  const published = created + DAY / 2
  const closed = demo.closedDaysAgo === undefined ? null : now - demo.closedDaysAgo * DAY
  let form: Form | null = null
  const made = () => form as Form
  const steps: Step[] = [
    {
      at: created,
      async run(tx, caller) {
        const pages = demo.pages.map(({ title = null, questions }) => ({
          title,
          questions: questions.map(({ ask }) => ask),
        }))
        form = await createForm(tx, caller, { ...demo.form, workspaceId: company.workspaces[demo.workspace], pages })
      },
    },
  ]
  if (demo.published !== false) {
    steps.push({ at: published, run: (tx, caller) => publishForm(tx, caller, made().id) })
  }
  if (demo.settings) steps.push(...settingsSteps(demo.settings, made, created, now))
  for (const [language, { texts }] of Object.entries(demo.translations ?? {})) {
    steps.push({ at: created + 2 * HOUR, run: (tx, caller) => translate(tx, caller, made().id, language, texts) })
  }
  if (closed !== null) steps.push({ at: closed, run: (tx, caller) => closeForm(tx, caller, made().id) })
  if (demo.trashedDaysAgo !== undefined) {
    const at = now - demo.trashedDaysAgo * DAY
    steps.push({ at, run: (tx, caller) => trashForm(tx, caller, made().id) })
  }
  for (let i = 0; i < demo.responses; i++) {
    const at = momentBetween(times, published + HOUR, (closed ?? now) - HOUR)
    steps.push(
      ...responseSteps(
        demo,
        files,
        made,
        { ...somebody(demo, people, random, at), language: languageOf(demo, speaking) },
        campaignOf(demo, invited),
      ),
    )
  }
  if (demo.settings?.notify) {
    steps.push(...responseSteps({ ...demo, abandoned: 0 }, files, made, somebody(demo, people, random, now - HOUR / 2)))
  }
  return steps
}

/** What owners chose when they made the form; and whom to tell of responses, which came to their minds an hour ago. */
function settingsSteps(
  { logo, notify, ...others }: NonNullable<DemoForm['settings']>,
  form: () => Form,
  created: number,
  now: number,
): Step[] {
  const steps: Step[] = [
    {
      at: created + HOUR,
      async run(tx, caller) {
        const picture = logo === undefined ? {} : { logo: await Bun.file(logo).bytes() }
        await changeSettings(tx, caller, form().id, { ...others, ...picture })
      },
    },
  ]
  if (notify) {
    steps.push({ at: now - HOUR, run: (tx, caller) => changeSettings(tx, caller, form().id, { notify }) })
  }
  return steps
}

/** Says all that a form says in another language: a text that is left out is a mistake of ours. */
async function translate(
  tx: Tx,
  caller: Caller,
  formId: string,
  language: string,
  texts: Readonly<Record<string, string>>,
) {
  const form = await formRecordOf(tx, caller.tenantId, formId)
  const { texts: places } = await textSheet(tx, caller.tenantId, form, language)
  const { missing } = await changeTexts(
    tx,
    caller,
    formId,
    language,
    places.map(({ key, base }) => ({ key, base, text: texts[base] ?? null })),
  )
  if (missing > 0) throw new Error(`${missing} texts of “${form.title}” are missing in ${language}`)
}

/** The language that somebody answers in; null for the form's own. */
function languageOf({ translations }: DemoForm, random: Random): string | null {
  if (!translations) return null
  const shares = Object.entries(translations).map(([language, { share }]) => [language, share] as const)
  const own = 1 - shares.reduce((sum, [, share]) => sum + share, 0)
  return random.weighted<string | null>([[null, own], ...shares])
}

/** Half of the people come by an invitation. */
function campaignOf({ campaigns }: DemoForm, random: Random): Record<string, string> | undefined {
  return campaigns && random.chance(0.5) ? { campaign: random.pick(campaigns) } : undefined
}

function somebody(demo: DemoForm, people: readonly DemoContact[], random: Random, at: number): Respondent {
  const known = people.filter(
    ({ arrives, knownSince }) => arrives === 'form' || (knownSince !== null && knownSince < at),
  )
  return {
    random,
    at,
    language: null,
    mood: someMood(random),
    person: random.chance(demo.named) ? random.pick(known) : null,
  }
}

/** Somebody opens the form, and minutes later sends it in; or stops in the middle. */
function responseSteps(
  demo: DemoForm,
  files: Files,
  form: () => Form,
  who: Respondent,
  hiddenFields?: Record<string, string>,
): Step[] {
  const { random } = who
  const values = demo.pages.map(({ questions }) => questions.map(({ answer }) => answer(who)))
  const finishes = !random.chance(demo.abandoned)
  const reached = finishes ? values.length : Math.ceil(values.length / 2)
  const answersUpTo = (page: number): GivenAnswer[] =>
    form()
      .pages.slice(0, page)
      .flatMap(({ questions }, index) =>
        questions.map(({ id: questionId }, position) => ({ questionId, value: values[index]?.[position] ?? null })),
      )
  const resume = { id: '', resumeToken: '' }
  const steps: Step[] = [
    {
      at: who.at,
      async run(tx, caller) {
        const answers = finishes ? [] : answersUpTo(reached).slice(0, -1)
        const begun = await startResponse(tx, caller, form().id, {
          answers,
          complete: false,
          hiddenFields,
          ...(who.language && { language: who.language }),
        })
        resume.id = begun.response.id
        resume.resumeToken = begun.resumeToken
      },
    },
  ]
  const finishedAt = finishes ? who.at + random.integer(1, 9) * MINUTE + random.integer(0, 59_999) : null
  // As if the service had been there, which then told of it.
  const toldAt = timeToTell(who.at, who.at)
  if (finishedAt === null || finishedAt > toldAt) {
    steps.push({ at: toldAt, run: (tx, { at }) => tellOfPartials(tx, at) })
  }
  if (finishedAt !== null) {
    steps.push({
      at: finishedAt,
      async run(tx, caller) {
        const { id: formId } = form()
        const answers = answersUpTo(reached)
        const uploads = await attach(tx, caller, files, formId, answers)
        const find = (name: string) => uploads.get(name) ?? null
        const { response } = await continueResponse(tx, caller, formId, resume, { answers, complete: true }, find)
        if (uploads.size > 0)
          await useUploads(
            tx,
            caller,
            response,
            [...uploads.values()].map(({ id }) => id),
          )
      },
    })
  }
  return steps
}

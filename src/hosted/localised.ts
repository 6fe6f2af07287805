import type { Reader } from '../db/index.ts'
import { getForm } from '../forms/operations.ts'
import type { FormPage, FormQuestion } from '../forms/pages.ts'
import type { Revision } from '../forms/revisions.ts'
import { type Localised, localised } from '../forms/texts/localise.ts'
import type { Translatable } from '../forms/texts/model.ts'
import { languageAmong, textsOf } from '../forms/texts/read.ts'
import { acceptedLanguages } from '../lib/language/languages.ts'
import type { Launched } from './launch.ts'
import { wordsOf } from './words/index.ts'

type Speaking = Pick<Launched, 'language' | 'languages'>

/** The form's language that an address asks for by `lang`, else the form's own. */
export function languageAsked({ language, languages }: Speaking, wanted: string | null): string {
  return (wanted !== null && languageAmong(languages, wanted)) || language
}

/**
 * What a respondent reads (decisions §21): what the address asks for, else the first language of their browser's that the
 * form has, else the form's own.
 */
export function languageFor(form: Speaking, { url, headers }: Request): string {
  if (form.languages.length === 1) return form.language
  const wanted = new URL(url).searchParams.get('lang')
  const asked = wanted === null ? null : languageAmong(form.languages, wanted)
  if (asked !== null) return asked
  const accepted = acceptedLanguages(headers.get('accept-language') ?? '')
  return accepted.map((tag) => languageAmong(form.languages, tag)).find((tag) => tag !== null) ?? form.language
}

const nothing: ReadonlySet<string> = new Set()

/** What a form asks and says at its end, in one of its languages; `earlier` is what it asked in a revision. */
export async function formIn(
  db: Reader,
  { tenantId, formId, language: own, settings }: Pick<Launched, 'tenantId' | 'formId' | 'language' | 'settings'>,
  language: string,
  earlier?: Revision,
): Promise<Localised> {
  const { title, description, pages, variables, ends } = { ...(await getForm(db, tenantId, formId)), ...earlier }
  const content: Translatable = { title, description, pages, variables, ends, thanks: settings.thanks }
  if (language === own) return { ...content, untranslated: nothing }
  return localised(content, await textsOf(db, tenantId, formId, language))
}

/** Pages whose presets are said in a language: pages that people see say them by themselves. */
export function withPresets(pages: readonly FormPage[], language: string): FormPage[] {
  const { say } = wordsOf(language)
  const preset = (question: FormQuestion): FormQuestion => {
    const { trueLabel, falseLabel, scaleLabels } = question as FormQuestion & { scaleLabels?: { text: string }[] }
    if (question.type === 'binary') {
      return {
        ...question,
        trueLabel: trueLabel === 'Yes' ? say('yes') : trueLabel,
        falseLabel: falseLabel === 'No' ? say('no') : falseLabel,
      }
    }
    if (!scaleLabels) return question
    const isPreset = (scale: { text: string; opposingText?: string }) =>
      scale.text === 'Disagree' && scale.opposingText === 'Agree'
    const ours = { text: say('disagree'), opposingText: say('agree') }
    return { ...question, scaleLabels: scaleLabels.map((scale) => (isPreset(scale) ? ours : scale)) }
  }
  return pages.map((page) => ({ ...page, questions: page.questions.map(preset) }))
}

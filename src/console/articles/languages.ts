import { findDrafted } from '../../articles/drafts.ts'
import { findPublicSource, getSource, type PublicSource, setLanguages } from '../../articles/sources.ts'
import { countByLanguage, findTranslations } from '../../articles/translations.ts'
import { languageName } from '../../help/words/index.ts'
import { type ArticleLanguage, articleLanguages } from '../../kinds/articles.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { baseOf } from '../../lib/language/languages.ts'
import { backLink, badge, pageHead } from '../components/display.ts'
import { button, checkbox, fieldset, form, select } from '../components/forms.ts'
import { tabs } from '../components/lists.ts'
import type { Guard } from '../guard.ts'
import { languageOptions } from '../settings/tenant.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'

const LANGUAGES = '/console/articles/:sourceId/languages'

/** What the articles of a source are written in, and translated into (decisions §20). */
export function languagePages(add: Guard): void {
  add.page(LANGUAGES, {}, (visit) => languagesPage(visit))
  add.action(LANGUAGES, { again: languagesPage }, async (visit, sent) => {
    const { sourceId = '' } = visit.params
    const wanted = { language: sent.text('language'), languages: sent.texts('languages') }
    await visit.change((tx, caller) => setLanguages(tx, caller, sourceId, wanted))
    return redirectTo(`/console/articles?source=${sourceId}`, visit.wording.say('settingsSaved'))
  })
}

/** The source that a path names, as its help centre is written. Throws `not_found`, for another tenant's too. */
export async function ownSource(visit: Visit): Promise<PublicSource> {
  const { id } = await getSource(visit.db, visit.principal.tenantId, visit.params.sourceId ?? '')
  return findPublicSource(visit.db, id)
}

async function languagesPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say, locale } = visit.wording
  const source = await ownSource(visit)
  const counts = await countByLanguage(visit.db, source.tenantId, source.id)
  const total = counts.get('') ?? 0
  const own = baseOf(source.language)
  const choices = articleLanguages
    .filter((language) => language !== own)
    .map((language) => {
      const done = counts.get(language) ?? 0
      return checkbox(visit, {
        name: 'languages',
        value: language,
        label: languageName(language, locale),
        checked: source.languages.includes(language),
        help: done > 0 && say('articleTranslated', { done, total }),
        again,
      })
    })
  return {
    title: say('articleLanguages'),
    width: 'narrow',
    body: html`${backLink(visit, `/console/articles?source=${source.id}`, source.name)}
${pageHead(say('articleLanguages'), undefined, say('articleLanguagesIntro'))}
<div class="card">${form(visit, { action: `/console/articles/${source.id}/languages` }, [
      select(visit, {
        name: 'language',
        label: say('articleLanguageOwn'),
        options: languageOptions(visit, source.language),
        value: source.language,
        again,
      }),
      fieldset(
        { legend: say('articleLanguagesInto'), help: say('articleLanguagesIntoHelp'), name: 'languages', again },
        html`<div class="article-tongues">${choices}</div>`,
      ),
      button(say('save')),
    ])}</div>`,
  }
}

type State = 'published' | 'outdated' | 'draft' | 'missing'

/** An article in a language that its source is translated into. */
export interface InLanguage {
  readonly language: ArticleLanguage
  readonly state: State
  readonly isDrafted: boolean
}

/** What there is of these articles in each of the languages that their source is translated into, by slug. */
export async function statesOf(
  visit: Visit,
  { tenantId, id, languages }: PublicSource,
  slugs: readonly string[],
): Promise<(slug: string) => InLanguage[]> {
  if (languages.length === 0) return () => []
  const translations = await findTranslations(visit.db, tenantId, id, slugs)
  const drafted = await findDrafted(visit.db, tenantId, id, slugs)
  return (slug) =>
    languages.map((language) => {
      const found = translations.get(slug)?.find((one) => one.language === language)
      const isDrafted = drafted.get(slug)?.has(language) ?? false
      const unpublished = isDrafted ? 'draft' : 'missing'
      const published = found?.outdatedSince ? 'outdated' : 'published'
      return { language, isDrafted, state: found ? published : unpublished }
    })
}

const TONES = { published: 'good', outdated: 'warn', draft: 'accent', missing: 'neutral' } as const
const wordOf = (state: State): `articleIn_${State}` => `articleIn_${state}`

/** Where an article is written in a language; '' is its own. */
export function editPath(sourceId: string, slug: string, language: string): string {
  const path = `/console/articles/${sourceId}/edit/${slug}`
  return language === '' ? path : `${path}/in/${language}`
}

/** The languages of an article in its row of the list, as their tags; what each is, is in its colour, and said. */
export function languageMarks(visit: Visit, sourceId: string, slug: string, states: readonly InLanguage[]): Markup {
  const { say, locale } = visit.wording
  return html`<ul class="tongues">${states.map(({ language, state }) => {
    const said = `${languageName(language, locale)}: ${say(wordOf(state))}`
    return html`<li><a class="tongue ${TONES[state]}" href="${visit.href(editPath(sourceId, slug, language))}" title="${said}"><span aria-hidden="true">${language.toUpperCase()}</span><span class="sr">${said}</span></a></li>`
  })}</ul>`
}

/** The languages of an article above its editor. */
export function languageTabs(visit: Visit, source: PublicSource, slug: string, states: readonly InLanguage[]): Insert {
  if (states.length === 0) return false
  const { say, locale } = visit.wording
  const own = { path: editPath(source.id, slug, ''), text: languageName(source.language, locale) }
  const others = states.map(({ language, state }) => ({
    path: editPath(source.id, slug, language),
    text: html`${languageName(language, locale)} ${badge(say(wordOf(state)), TONES[state])}`,
  }))
  return tabs(visit, say('articleLanguages'), [own, ...others])
}

/** How much of a source is translated, language by language; each leads to what is missing. */
export async function languageCounts(visit: Visit, { tenantId, id, languages }: PublicSource): Promise<Insert> {
  if (languages.length === 0) return false
  const { say, locale } = visit.wording
  const counts = await countByLanguage(visit.db, tenantId, id)
  const total = counts.get('') ?? 0
  return html`<ul class="tongue-counts" aria-label="${say('articleLanguages')}">${languages.map((language) => {
    const done = counts.get(language) ?? 0
    const said = html`<strong>${languageName(language, locale)}</strong> ${say('articleTranslated', { done, total })}`
    return html`<li>${done < total ? html`<a href="${visit.href(`/console/articles?source=${id}&missing=${language}`)}">${said}</a>` : html`<span>${said}</span>`}</li>`
  })}</ul>`
}

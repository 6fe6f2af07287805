import {
  type Category,
  createCategory,
  deleteCategory,
  listCategories,
  listCategoryNames,
  listPlaced,
  MAX_CATEGORY_NAME,
  moveCategory,
  placeArticle,
  renameCategory,
} from '../../articles/categories.ts'
import type { ArticleSummary } from '../../articles/model.ts'
import { languageName } from '../../help/words/index.ts'
import type { ArticleLanguage } from '../../kinds/articles.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { backLink, emptyState, pageHead } from '../components/display.ts'
import { button, confirmed, field, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { icons } from '../icons.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { ownSource } from './languages.ts'

const CATEGORIES = '/console/articles/:sourceId/categories'

/** What a help centre is divided into, and in which order (decisions §20). */
export function categoryPages(add: Guard): void {
  add.page(CATEGORIES, {}, (visit) => categoriesPage(visit))
  add.action(CATEGORIES, { again: categoriesPage }, async (visit, sent) => {
    await visit.change((tx, caller) => createCategory(tx, caller, sourceOf(visit), sent.text('name')))
    return back(visit, visit.wording.say('categoryCreated'))
  })
  add.action(`${CATEGORIES}/:categoryId`, { again: categoriesPage }, async (visit, sent) => {
    const { languages } = await ownSource(visit)
    const names = Object.fromEntries(languages.map((language) => [language, sent.text(`newName-${language}`)]))
    await visit.change((tx, caller) =>
      renameCategory(tx, caller, sourceOf(visit), idOf(visit), sent.text('newName'), names),
    )
    return back(visit, visit.wording.say('settingsSaved'))
  })
  add.action(`${CATEGORIES}/:categoryId/move`, {}, async (visit, sent) => {
    await visit.change((tx, caller) => moveCategory(tx, caller, sourceOf(visit), idOf(visit), placeIn(sent)))
    return back(visit, visit.wording.say('categoryMoved'))
  })
  add.action(`${CATEGORIES}/:categoryId/articles`, {}, async (visit, sent) => {
    const article = { sourceId: sourceOf(visit), slug: sent.text('article') }
    await visit.change((tx, caller) => placeArticle(tx, caller, article, idOf(visit), placeIn(sent)))
    return back(visit, visit.wording.say('categoryMoved'))
  })
  add.action(`${CATEGORIES}/:categoryId/delete`, {}, async (visit) => {
    const { name } = await visit.change((tx, caller) => deleteCategory(tx, caller, sourceOf(visit), idOf(visit)))
    return back(visit, visit.wording.say('categoryDeleted', { name }))
  })
  add.action('/console/articles/:sourceId/edit/:slug/category', {}, async (visit, sent) => {
    const article = { sourceId: sourceOf(visit), slug: visit.params.slug ?? '' }
    await visit.change((tx, caller) => placeArticle(tx, caller, article, sent.text('category') || null))
    const path = `/console/articles/${article.sourceId}/edit/${article.slug}`
    return redirectTo(path, visit.wording.say('settingsSaved'))
  })
}

const sourceOf = ({ params }: Visit) => params.sourceId ?? ''
const idOf = ({ params }: Visit) => params.categoryId ?? ''
const back = (visit: Visit, said: string): Redirect =>
  redirectTo(`/console/articles/${sourceOf(visit)}/categories`, said)

/** A place, from 0; what is none is the first. */
function placeIn(sent: FormFields): number {
  const to = Number(sent.text('to'))
  return Number.isSafeInteger(to) ? to : 0
}

async function categoriesPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const source = await ownSource(visit)
  const names = await listCategoryNames(visit.db, tenantId, source.id)
  const categories = await listCategories(visit.db, tenantId, source.id)
  const placed = await listPlaced(visit.db, tenantId, source.id)
  const path = `/console/articles/${source.id}/categories`
  const namesIn = ({ id }: Category) =>
    source.languages.map((language) => ({
      language,
      name: names.find((one) => one.categoryId === id && one.language === language)?.name ?? '',
    }))
  const shown = categories.map((category, index) => {
    const articles = placed.filter(({ categoryId }) => categoryId === category.id)
    return categoryCard(
      visit,
      path,
      { category, articles, index, count: categories.length, names: namesIn(category) },
      again,
    )
  })
  const own = again?.form.has('name') ? again : undefined
  return {
    title: say('categoriesTitle'),
    width: 'narrow',
    scripts: ['article-order'],
    body: html`${backLink(visit, `/console/articles?source=${source.id}`, source.name)}
${pageHead(say('categoriesTitle'), undefined, say('categoriesIntro'))}
${shown.length === 0 ? emptyState(say('categoriesNone')) : html`<ol class="categories" data-order>${shown}</ol>`}
<div class="card">${form(visit, { action: path }, [
      field(visit, {
        name: 'name',
        label: say('categoryNew'),
        required: true,
        maxLength: MAX_CATEGORY_NAME,
        again: own,
      }),
      button(say('categoryAdd')),
    ])}</div>`,
  }
}

interface Shown {
  readonly category: Category
  readonly articles: readonly ArticleSummary[]
  readonly index: number
  readonly count: number
  /** In the languages that the source is translated into; '' where it has none. */
  readonly names: readonly { readonly language: ArticleLanguage; readonly name: string }[]
}

function categoryCard(
  visit: Visit,
  path: string,
  { category, articles, index, count, names }: Shown,
  again?: Again,
): Markup {
  const { say, locale } = visit.wording
  const unnamed = names.filter(({ name: translated }) => translated === '')
  const languages = unnamed.map(({ language }) => languageName(language, locale)).join(', ')
  const { id, name } = category
  const own = again?.form.has('newName') && visit.params.categoryId === id ? again : undefined
  const rows = articles.map(({ sourceId, slug, title }, at) => {
    const shown = title ?? slug
    return html`<li><span class="grip of-article" aria-hidden="true">${icons.grip}</span><a href="${visit.href(`/console/articles/${sourceId}/edit/${slug}`)}">${shown}</a>${moves(visit, `${path}/${id}/articles`, { name: shown, at, count: articles.length, fields: html`<input type="hidden" name="article" value="${slug}">` })}</li>`
  })
  return html`<li class="card" data-articles="${visit.href(`${path}/${id}/articles`)}"><div class="category-head"><span class="grip of-category" aria-hidden="true">${icons.grip}</span><h2>${name}</h2>${moves(visit, `${path}/${id}/move`, { name, at: index, count })}</div>
${unnamed.length > 0 && html`<p class="help">${say('categoryNamesMissing', { languages })}</p>`}${rows.length === 0 && html`<p class="help">${say('categoryEmpty')}</p>`}<ol class="placed" data-order>${rows}</ol>
<details${own && html` open`}><summary>${say('categoryRename')}</summary>${form(visit, { action: `${path}/${id}` }, [
    field(visit, {
      name: 'newName',
      id: `rename-${id}`,
      label: say('categoryName'),
      value: name,
      required: true,
      maxLength: MAX_CATEGORY_NAME,
      again: own,
    }),
    names.map(({ language, name: translated }) =>
      field(visit, {
        name: `newName-${language}`,
        id: `rename-${id}-${language}`,
        label: say('categoryNameIn', { language: languageName(language, locale) }),
        value: translated,
        maxLength: MAX_CATEGORY_NAME,
        language,
        again: own,
      }),
    ),
    button(say('save'), { kind: 'secondary' }),
  ])}</details>${confirmed(visit, {
    label: say('categoryDelete'),
    question: say('categoryDeleteQuestion', { name }),
    action: `${path}/${id}/delete`,
  })}</li>`
}

/** Buttons that put something a place up or down. A script sends the same form with another place, for what is drawn there. */
function moves(
  visit: Visit,
  action: string,
  { name, at, count, fields }: { name: string; at: number; count: number; fields?: Insert },
): Markup {
  const { say } = visit.wording
  const step = (to: number, label: string, icon: Markup, isOff: boolean) =>
    html`<button class="quiet" name="to" value="${to}" aria-label="${label}" title="${label}"${isOff && html` disabled`}>${icon}</button>`
  return html`<div class="moves">${form(
    visit,
    { action, inline: true },
    html`${fields}${step(at - 1, say('moveUp', { name }), icons.up, at === 0)}${step(at + 1, say('moveDown', { name }), icons.down, at === count - 1)}`,
  )}</div>`
}

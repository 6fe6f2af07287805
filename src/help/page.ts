import { articlePath } from '../articles/languages.ts'
import { markedExcerpt } from '../assistant/marked-excerpt.ts'
import { html, type Insert, type Markup } from '../lib/html/markup.ts'
import {
  cards,
  type Entry,
  frame,
  type HelpFrame,
  linkTo,
  path,
  type Section,
  searchBox,
  spoken,
  type Tongue,
  versionsOf,
} from './frame.ts'

/** An article's own page. */
export interface ArticlePage {
  readonly slug: string
  readonly title: string | null
  readonly content: Markup
  /** One or two sentences, plain. */
  readonly description: string
  /** '' where it is shown as it was written. */
  readonly language: string
  /** Whether it is there in a language of the help centre. */
  isIn(tongue: Tongue): boolean
  /** Where the article is published first. */
  readonly canonicalUrl: string | null
  readonly updatedAt: string
}

/** The articles of a source; `next` leads to the following page of them, `isFirst` says that none are before. */
export function indexPage(
  page: HelpFrame,
  { entries, next, isFirst }: { entries: readonly Entry[]; next: string | null; isFirst: boolean },
): string {
  const { say } = page.wording
  const list = entries.length === 0 ? html`<p class="empty">${say('noArticles')}</p>` : cards(page, entries, 'h3')
  return frame(page, {
    title: say('help'),
    robots: isFirst ? null : 'noindex, follow',
    ...(isFirst && { canonical: page.tongue.home, versions: versionsOf(page, ({ home }) => home) }),
    top: null,
    content: html`<div class="hero"><h1>${say('howCanWeHelp')}</h1>${searchBox(page, '')}</div>
<section aria-labelledby="articles"><h2 id="articles" class="part">${say('articles')}</h2>
${list}
${next !== null && html`<p class="next"><a class="secondary" href="?cursor=${encodeURIComponent(next)}">${say('moreArticles')}</a></p>`}
</section>`,
  })
}

/** The articles of a source by category; `others` have none. */
export function dividedPage(
  page: HelpFrame,
  { sections, others }: { sections: readonly Section[]; others: readonly Entry[] },
): string {
  const { say } = page.wording
  const parts = sections.map((section) => {
    const { id, name, entries, count } = section
    return html`<section class="category" aria-labelledby="c-${id}"><h2 id="c-${id}" class="part"${nameSpoken(page, section)}>${name}</h2>
${cards(page, entries, 'h3')}
${count > entries.length && html`<p class="next"><a class="secondary" href="?category=${id}">${say('otherArticles')}: ${name}</a></p>`}</section>`
  })
  return frame(page, {
    title: say('help'),
    robots: null,
    canonical: page.tongue.home,
    versions: versionsOf(page, ({ home }) => home),
    top: null,
    content: html`<div class="hero"><h1>${say('howCanWeHelp')}</h1>${searchBox(page, '')}</div>
${parts}
${others.length > 0 && html`<section class="category" aria-labelledby="articles"><h2 id="articles" class="part">${say('moreArticles')}</h2>${cards(page, others, 'h3')}</section>`}
<p class="next"><a class="secondary" href="?all">${say('otherArticles')}</a></p>`,
  })
}

/** The articles of one category. */
export function categoryPage(page: HelpFrame, section: Section): string {
  const { id, name, entries } = section
  return frame(page, {
    title: name,
    robots: null,
    canonical: `${page.tongue.home}?category=${id}`,
    versions: versionsOf(page, ({ home }) => `${home}?category=${id}`),
    top: html`<div class="bar">${searchBox(page, '')}</div>`,
    content: html`${path(page, name)}<h1 class="asked"${nameSpoken(page, section)}>${name}</h1>
${cards(page, entries, 'h2')}
<p class="next"><a href="${page.tongue.home}">${page.wording.say('help')}</a></p>`,
  })
}

/** What a question found; where that is nothing, `newest` articles instead. */
export function foundPage(
  page: HelpFrame,
  { question, found, newest }: { question: string; found: readonly Entry[]; newest: readonly Entry[] },
): string {
  const { say } = page.wording
  const count = found.length
  const title = count > 0 ? say('found', { count, question }) : say('nothingFound', { question })
  const results =
    count > 0
      ? html`<ol class="results">${found.map((entry) => html`<li>${linkTo(page, entry, 'h2')}<p${spoken(page, entry)}>${markedExcerpt(entry.excerpt)}</p></li>`)}</ol>`
      : html`<p class="why">${newest.length > 0 && say('nothingFoundWhy')}</p>${cards(page, newest, 'h2')}`
  return frame(page, {
    title,
    robots: 'noindex',
    top: html`<div class="bar">${searchBox(page, question)}</div>`,
    content: html`${path(page)}<h1 class="asked">${title}</h1>
${results}`,
  })
}

/** One article. */
export function articlePage(page: HelpFrame, article: ArticlePage): string {
  const { say, date, nameOf } = page.wording
  const title = article.title ?? article.slug
  const { slug, description, canonicalUrl, updatedAt } = article
  const pathIn = (language: string) => page.base + articlePath(page.source?.id ?? '', slug, language)
  const url = canonicalUrl ?? page.origin + pathIn(article.language)
  const own = spoken(page, article)
  return frame(page, {
    title,
    robots: null,
    versions: versionsOf(page, ({ language }) => pathIn(language), article.isIn),
    head: html`<link rel="canonical" href="${url}">
${description !== '' && html`<meta name="description" content="${description}">`}
<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
${description !== '' && html`<meta property="og:description" content="${description}">`}
<meta property="og:url" content="${url}">
<meta property="og:site_name" content="${page.source?.tenantName}">`,
    top: html`<div class="bar">${searchBox(page, '')}</div>`,
    content: html`${path(page, title)}${own && html`<p class="notice">${say('notTranslated', { language: nameOf(page.tongues[0]?.tag ?? '') })}</p>`}<article class="card"${own}>
<h1>${title}</h1>
<div class="prose">${article.content}</div>
<p class="updated"${own && html` lang="${page.wording.language}" dir="${page.wording.direction}"`}><time datetime="${updatedAt}">${say('updated', { date: date(updatedAt) })}</time></p>
</article>
<p class="next"><a href="${page.tongue.home}">${say('otherArticles')}</a></p>`,
  })
}

/** In place of an article, or of a help centre, that is not there. */
export function missingPage(page: HelpFrame): string {
  const { say } = page.wording
  return frame(page, {
    title: say('notThere'),
    robots: 'noindex',
    top: page.source && html`<div class="bar">${searchBox(page, '')}</div>`,
    content: html`<section class="card"><h1>${say('notThere')}</h1>
<p>${say(page.source ? 'notThereWhy' : 'notThereHere')}</p>
${page.source && html`<p><a href="${page.tongue.home}">${say('otherArticles')}</a></p>`}</section>`,
  })
}

/** A category that has no name in the page's language is called as it was named. */
function nameSpoken(page: HelpFrame, { isTranslated }: Section): Insert {
  return isTranslated ? false : spoken(page, { language: '' })
}

import type { PublicSource } from '../articles/sources.ts'
import type { Excerpt } from '../assistant/excerpt.ts'
import { markedExcerpt } from '../assistant/marked-excerpt.ts'
import { hueOf, initialOf } from '../hosted/page/document.ts'
import { html, type Insert, type Markup } from '../lib/html/markup.ts'
import type { HelpWording } from './words/index.ts'

/** What every page of a help centre is made of. */
export interface HelpFrame {
  readonly wording: HelpWording
  /** Path the service is reached under, mostly ''. */
  readonly base: string
  /** Version of the style sheet, for its address. */
  readonly version: string
  /** Null where there is no such source. */
  readonly source: Pick<PublicSource, 'id' | 'tenantName'> | null
}

/** An article as lists of the pages show it. */
export interface Entry {
  readonly slug: string
  readonly title: string | null
  readonly excerpt: Excerpt
}

/** A category with its articles, or the first of them. */
export interface Section {
  readonly id: string
  readonly name: string
  readonly entries: readonly Entry[]
  readonly count: number
}

/** An article's own page. */
export interface ArticlePage {
  readonly slug: string
  readonly title: string | null
  readonly content: Markup
  /** One or two sentences, plain. */
  readonly description: string
  /** The whole address of this page. */
  readonly url: string
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
  const parts = sections.map(
    ({ id, name, entries, count }) =>
      html`<section class="category" aria-labelledby="c-${id}"><h2 id="c-${id}" class="part">${name}</h2>
${cards(page, entries, 'h3')}
${count > entries.length && html`<p class="next"><a class="secondary" href="?category=${id}">${say('otherArticles')}: ${name}</a></p>`}</section>`,
  )
  return frame(page, {
    title: say('help'),
    robots: null,
    top: null,
    content: html`<div class="hero"><h1>${say('howCanWeHelp')}</h1>${searchBox(page, '')}</div>
${parts}
${others.length > 0 && html`<section class="category" aria-labelledby="articles"><h2 id="articles" class="part">${say('moreArticles')}</h2>${cards(page, others, 'h3')}</section>`}
<p class="next"><a class="secondary" href="?all">${say('otherArticles')}</a></p>`,
  })
}

/** The articles of one category. */
export function categoryPage(page: HelpFrame, { name, entries }: Section): string {
  return frame(page, {
    title: name,
    robots: null,
    top: html`<div class="bar">${searchBox(page, '')}</div>`,
    content: html`${path(page, name)}<h1 class="asked">${name}</h1>
${cards(page, entries, 'h2')}
<p class="next"><a href="${home(page)}">${page.wording.say('help')}</a></p>`,
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
      ? html`<ol class="results">${found.map((entry) => html`<li>${linkTo(page, entry, 'h2')}<p>${markedExcerpt(entry.excerpt)}</p></li>`)}</ol>`
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
  const { say, date } = page.wording
  const title = article.title ?? article.slug
  const { description, url, canonicalUrl, updatedAt } = article
  return frame(page, {
    title,
    robots: null,
    head: html`<link rel="canonical" href="${canonicalUrl ?? url}">
${description !== '' && html`<meta name="description" content="${description}">`}
<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
${description !== '' && html`<meta property="og:description" content="${description}">`}
<meta property="og:url" content="${canonicalUrl ?? url}">
<meta property="og:site_name" content="${page.source?.tenantName}">`,
    top: html`<div class="bar">${searchBox(page, '')}</div>`,
    content: html`${path(page, title)}<article class="card">
<h1>${title}</h1>
<div class="prose">${article.content}</div>
<p class="updated"><time datetime="${updatedAt}">${say('updated', { date: date(updatedAt) })}</time></p>
</article>
<p class="next"><a href="${home(page)}">${say('otherArticles')}</a></p>`,
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
${page.source && html`<p><a href="${home(page)}">${say('otherArticles')}</a></p>`}</section>`,
  })
}

interface Parts {
  readonly title: string
  /** What search engines are told; null: they may show the page. */
  readonly robots: string | null
  readonly head?: Markup
  readonly top: Insert
  readonly content: Markup
}

function frame(page: HelpFrame, { title, robots, head, top, content }: Parts): string {
  const { wording, base, version, source } = page
  const { say } = wording
  const name = source?.tenantName
  return html`<!doctype html>
<html lang="${wording.language}" dir="${wording.direction}" class="hue-${hueOf(name ?? '')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${robots !== null && html`<meta name="robots" content="${robots}">`}
<meta name="color-scheme" content="light dark">
<title>${name === undefined ? title : `${title} · ${name}`}</title>
<link rel="stylesheet" href="${base}/help/assets/help.css?v=${version}">
${head}
</head>
<body>
<a class="skip" href="#content">${say('skip')}</a>
${name !== undefined && html`<header class="brand"><a href="${home(page)}"><span class="monogram" aria-hidden="true">${initialOf(name)}</span><span>${name}</span><span class="place">${say('help')}</span></a></header>`}
${top}
<main id="content">
${content}
</main>
</body>
</html>
`.text
}

function home({ base, source }: HelpFrame): string {
  return `${base}/help/${source?.id}`
}

function searchBox(page: HelpFrame, question: string): Markup {
  const { say } = page.wording
  return html`<form class="search" role="search" action="${home(page)}"><input class="text" type="search" name="q" value="${question}" aria-label="${say('searchLabel')}" placeholder="${say('searchExample')}" maxlength="500" enterkeyhint="search" required dir="auto"><button class="primary">${say('search')}</button></form>`
}

function path(page: HelpFrame, title: string | null = null): Markup {
  const { say } = page.wording
  return html`<nav class="path" aria-label="${say('youAreHere')}"><ol><li><a href="${home(page)}">${say('help')}</a></li>${title !== null && html`<li aria-current="page">${title}</li>`}</ol></nav>`
}

function cards(page: HelpFrame, entries: readonly Entry[], heading: 'h2' | 'h3'): Markup {
  return html`<ul class="cards">${entries.map((entry) => html`<li>${linkTo(page, entry, heading)}<p>${entry.excerpt.text}</p></li>`)}</ul>`
}

function linkTo(page: HelpFrame, { slug, title }: Entry, heading: 'h2' | 'h3'): Markup {
  const link = html`<a href="${home(page)}/${slug}">${title ?? slug}</a>`
  return heading === 'h2' ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`
}

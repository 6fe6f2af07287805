import { articlePath } from '../articles/languages.ts'
import type { PublicSource } from '../articles/sources.ts'
import type { Excerpt } from '../assistant/excerpt.ts'
import { hueOf, initialOf } from '../hosted/page/document.ts'
import type { ArticleLanguage } from '../kinds/articles.ts'
import { html, type Insert, type Markup } from '../lib/html/markup.ts'
import { directionOf } from '../lib/language/languages.ts'
import { type HelpWording, languageName } from './words/index.ts'

/** A language that a help centre can be read in. */
export interface Tongue {
  /** '' of the articles as they are written, else that of their translations. */
  readonly language: ArticleLanguage | ''
  /** BCP 47. */
  readonly tag: string
  /** Path of its front page, on the service's host. */
  readonly home: string
}

/** What every page of a help centre is made of. */
export interface HelpFrame {
  readonly wording: HelpWording
  /** Path the service is reached under, mostly ''. */
  readonly base: string
  /** Version of the style sheet, for its address. */
  readonly version: string
  /** Scheme and host of the service. */
  readonly origin: string
  /** Null where there is no such source. */
  readonly source: Pick<PublicSource, 'id' | 'tenantName'> | null
  /** What the page is written in. */
  readonly tongue: Tongue
  /** All that the help centre offers, its own first; there is no choice where that is the only one. */
  readonly tongues: readonly Tongue[]
}

/** An article as lists of the pages show it. */
export interface Entry {
  readonly slug: string
  readonly title: string | null
  readonly excerpt: Excerpt
  /** '' where it is shown as it was written. */
  readonly language: string
}

/** A category with its articles, or the first of them. */
export interface Section {
  readonly id: string
  readonly name: string
  /** Whether its name is in the page's language. */
  readonly isTranslated: boolean
  readonly entries: readonly Entry[]
  readonly count: number
}

/** The same page in another language. */
export interface Version {
  readonly tongue: Tongue
  readonly path: string
  /** Whether it is there in that language; where it is not, the article is shown as it was written. */
  readonly isThere: boolean
}

interface Parts {
  readonly title: string
  /** What search engines are told; null: they may show the page. */
  readonly robots: string | null
  readonly head?: Markup
  /** Path of the page by which search engines are to know it, where there is one. */
  readonly canonical?: string
  /** The page in all languages; the front pages where it has none of its own. */
  readonly versions?: readonly Version[]
  readonly top: Insert
  readonly content: Markup
}

/** A page in all languages of its help centre. */
export function versionsOf(
  { tongues }: HelpFrame,
  pathIn: (tongue: Tongue) => string,
  isThere: (tongue: Tongue) => boolean = () => true,
): Version[] {
  return tongues.map((tongue) => ({ tongue, path: pathIn(tongue), isThere: isThere(tongue) }))
}

/** A whole document of a help centre. */
export function frame(page: HelpFrame, { title, robots, head, canonical, versions, top, content }: Parts): string {
  const { wording, base, version, source, origin } = page
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
${canonical !== undefined && html`<link rel="canonical" href="${origin}${canonical}">`}
${versions && alternates(page, versions)}
${head}
</head>
<body>
<a class="skip" href="#content">${say('skip')}</a>
${name !== undefined && html`<header class="brand"><a href="${page.tongue.home}"><span class="monogram" aria-hidden="true">${initialOf(name)}</span><span>${name}</span><span class="place">${say('help')}</span></a>${choice(page, versions ?? versionsOf(page, (tongue) => tongue.home))}</header>`}
${top}
<main id="content">
${content}
</main>
</body>
</html>
`.text
}

/** Tells search engines of the other languages of a page, where it is there in more than one. */
function alternates({ origin, tongue }: HelpFrame, versions: readonly Version[]): Insert {
  const there = versions.filter(({ isThere }) => isThere)
  if (there.length < 2 || !there.some((version) => version.tongue === tongue)) return false
  const own = there.find((version) => version.tongue.language === '')
  return html`${there.map((version) => html`<link rel="alternate" hreflang="${version.tongue.tag}" href="${origin}${version.path}">`)}${
    own && html`<link rel="alternate" hreflang="x-default" href="${origin}${own.path}">`
  }`
}

/** Where a reader changes the language: each is called as those call it who read it. */
function choice({ wording: { say }, tongue }: HelpFrame, versions: readonly Version[]): Insert {
  if (versions.length < 2) return false
  const entries = versions.map(({ tongue: { tag }, tongue: other, path }) => {
    const name = html`<span lang="${tag}" dir="${directionOf(tag)}">${languageName(tag)}</span>`
    return html`<li>${other === tongue ? html`<a href="${path}" hreflang="${tag}" aria-current="true">${name}</a>` : html`<a href="${path}" hreflang="${tag}">${name}</a>`}</li>`
  })
  return html`<details class="tongues"><summary><span class="sr">${say('language')}: </span>${languageName(tongue.tag)}</summary><ul>${entries}</ul></details>`
}

export function searchBox(page: HelpFrame, question: string): Markup {
  const { say } = page.wording
  return html`<form class="search" role="search" action="${page.tongue.home}"><input class="text" type="search" name="q" value="${question}" aria-label="${say('searchLabel')}" placeholder="${say('searchExample')}" maxlength="500" enterkeyhint="search" required dir="auto"><button class="primary">${say('search')}</button></form>`
}

export function path(page: HelpFrame, title: string | null = null): Markup {
  const { say } = page.wording
  return html`<nav class="path" aria-label="${say('youAreHere')}"><ol><li><a href="${page.tongue.home}">${say('help')}</a></li>${title !== null && html`<li aria-current="page">${title}</li>`}</ol></nav>`
}

export function cards(page: HelpFrame, entries: readonly Entry[], heading: 'h2' | 'h3'): Markup {
  return html`<ul class="cards">${entries.map((entry) => html`<li>${linkTo(page, entry, heading)}<p${spoken(page, entry)}>${entry.excerpt.text}</p></li>`)}</ul>`
}

/** An article by its title; one that the reader's language has not says which it is in. */
export function linkTo(page: HelpFrame, entry: Entry, heading: 'h2' | 'h3'): Markup {
  const { slug, title } = entry
  const { language } = page.tongue
  const link = html`<a href="${page.base}${articlePath(page.source?.id ?? '', slug, language)}"${spoken(page, entry)}>${title ?? slug}</a>${isForeign(page, entry) && html` <span class="tongue">${page.wording.nameOf(ownTag(page))}</span>`}`
  return heading === 'h2' ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`
}

const isForeign = ({ tongue }: HelpFrame, entry: Pick<Entry, 'language'>) => entry.language !== tongue.language
const ownTag = ({ tongues, tongue }: HelpFrame) => (tongues.find(({ language }) => language === '') ?? tongue).tag

/** The language of a text that is shown as it was written, as attributes. */
export function spoken(page: HelpFrame, entry: Pick<Entry, 'language'>): Insert {
  if (!isForeign(page, entry)) return false
  const tag = ownTag(page)
  return html` lang="${tag}" dir="${directionOf(tag)}"`
}

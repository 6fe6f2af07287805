import { markedExcerpt } from '../assistant/marked-excerpt.ts'
import { englishPage } from '../lib/html/english-page.ts'
import { html, type Insert, type Markup } from '../lib/html/markup.ts'
import { type Chapter, chapters } from './chapters.ts'
import { type Found, MAX_SEARCHED } from './search.ts'

/** What every page of the guide is made of. */
export interface GuideFrame {
  /** Path the service is reached under, mostly ''. */
  readonly base: string
  /** Version of the style sheet and the script, for their addresses. */
  readonly version: string
}

/** A chapter, or the front page, with its content as `renderChapter` makes it. */
export function chapterPage(frame: GuideFrame, chapter: Chapter, content: Markup): string {
  const isFront = chapter.slug === ''
  return guidePage(frame, {
    title: isFront ? 'Guide · frontdesk' : `${chapter.title} · Guide · frontdesk`,
    shown: chapter,
    question: '',
    content: html`<article class="card prose">
${content}</article>
${!isFront && neighbours(frame, chapter)}`,
  })
}

/** What a question found; everything there is to read where that is nothing. */
export function foundPage(frame: GuideFrame, question: string, found: readonly Found[]): string {
  const count = found.length === 1 ? '1 section' : `${found.length} sections`
  const title = found.length > 0 ? `“${question}” in ${count}` : `Nothing found for “${question}”`
  return guidePage(frame, {
    title: `${title} · Guide · frontdesk`,
    shown: null,
    question,
    content: html`<h1 class="asked">${title}</h1>
${found.length === 0 && html`<p class="why">Try fewer or other words, or read a chapter:</p>${list(frame, null)}`}
${found.length > 0 && html`<ol class="results">${found.map((one) => result(frame, one))}</ol>`}`,
  })
}

/** In place of a chapter that is not there. */
export function missingPage(frame: GuideFrame): string {
  return guidePage(frame, {
    title: 'Not there · Guide · frontdesk',
    shown: null,
    question: '',
    content: html`<section class="card"><h1>The guide has no such chapter</h1>
<p>It may have another name now:</p>
${list(frame, null)}</section>`,
  })
}

interface Parts {
  readonly title: string
  readonly shown: Chapter | null
  readonly question: string
  readonly content: Markup
}

function guidePage(frame: GuideFrame, { title, shown, question, content }: Parts): string {
  const { base, version } = frame
  return englishPage({
    title,
    styles: `${base}/docs/guide/guide.css?v=${version}`,
    script: html`<script src="${base}/docs/guide/guide.js?v=${version}" defer></script>`,
    body: html`<a class="skip" href="#content">Skip to the text</a>
<header class="top"><a class="home" href="${base}/docs/guide"><span class="monogram" aria-hidden="true">f</span><span>frontdesk</span><span class="place">Guide</span></a>
<form class="search" role="search" action="${base}/docs/guide/search"><input class="text" type="search" name="q" value="${question}" aria-label="Search the guide" placeholder="Search the guide" maxlength="${MAX_SEARCHED}" enterkeyhint="search" required><button class="primary">Search</button></form>
<a class="api" href="${base}/docs">API reference</a></header>
<details class="narrow"><summary>Chapters</summary><nav aria-label="Chapters">${list(frame, shown)}</nav></details>
<div class="columns">
<nav class="wide" aria-label="Chapters">${list(frame, shown)}</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>`,
  })
}

/** All chapters; under the one that is shown, its headings. */
function list(frame: GuideFrame, shown: Chapter | null): Markup {
  return html`<ul class="chapters">${chapters.map(
    (chapter) =>
      html`<li><a href="${addressOf(frame, chapter)}"${chapter === shown && html` aria-current="page"`}>${chapter.title}</a>${chapter === shown && headings(chapter)}</li>`,
  )}</ul>`
}

function headings({ sections }: Chapter): Insert {
  const [, ...under] = sections
  return (
    under.length > 0 && html`<ul>${under.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`
  )
}

function neighbours(frame: GuideFrame, chapter: Chapter): Markup {
  const at = chapters.indexOf(chapter)
  const [previous, next] = [chapters[at - 1], chapters[at + 1]]
  return html`<nav class="neighbours" aria-label="Previous and next chapter">
${previous && html`<a class="previous" rel="prev" href="${addressOf(frame, previous)}"><small>Previous</small> ${previous.title}</a>`}
${next && html`<a class="following" rel="next" href="${addressOf(frame, next)}"><small>Next</small> ${next.title}</a>`}
</nav>`
}

function result(frame: GuideFrame, { chapter, section, excerpt }: Found): Markup {
  const isBeginning = section === chapter.sections[0]
  const href = `${addressOf(frame, chapter)}${isBeginning ? '' : `#${section.id}`}`
  return html`<li><h2><a href="${href}">${section.title}</a></h2>${!isBeginning && html`<p class="within">${chapter.title}</p>`}<p>${markedExcerpt(excerpt)}</p></li>`
}

function addressOf({ base }: GuideFrame, { path }: Chapter): string {
  return base + path
}

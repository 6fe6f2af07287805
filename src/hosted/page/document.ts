import type { FormContent, FormPage } from '../../forms/pages.ts'
import type { OtherSettings } from '../../forms/settings/model.ts'
import type { Localised } from '../../forms/texts/localise.ts'
import { html, type Insert, jsonText, type Markup, trustedHtml } from '../../lib/html/markup.ts'
import { firstParts, type PartName } from '../client/parts/names.ts'
import { scriptWords } from '../words/for-script.ts'
import { icons } from './icons.ts'
import { languageLinks } from './languages.ts'
import { type FirstView, firstView, type Known, NOTHING } from './logic.ts'
import { type FileAddresses, fileAddresses, lookOf } from './look.ts'
import { type PageWording, pageWording } from './page-wording.ts'
import { limitationsIn, partsOf, placesIn, typesIn } from './parts.ts'
import { pageSection } from './section.ts'

/** Hues of the accent colour; every one is legible on light and dark. A tenant's name picks its own. */
const HUES = 8

/** What a hosted form's page is made of. */
export interface HostedPage {
  readonly form: FormContent & Partial<Pick<Localised, 'untranslated'>>
  /** Null of a preview: it sends nothing. */
  readonly launchCode: string | null
  readonly tenantName: string
  /** Path the service is reached under, mostly ''. */
  readonly base: string
  readonly settings: OtherSettings
  /** BCP 47: what the page is in. */
  readonly language: string
  /** What stands in the form itself; left out, the page's. */
  readonly baseLanguage?: string
  /** All that respondents can choose from; without them, there is nothing to choose. */
  readonly languages?: readonly string[]
  /** The form in its own language, in which its conditions are; left out, `form`. */
  readonly original?: FormContent
  /** What shows at first follows from it, where the form has logic; left out, nothing is known. */
  readonly known?: Known
  /** Attributes of the form that are another one's for each who looks: `ownAttributes`. */
  readonly own: Markup
  /** Version of the script and the style sheet, for their addresses. */
  readonly version: string
  /** Whether payments are taken online. */
  readonly takesPayments: boolean
  /** Of a preview: the text of an end, with its names as they were typed, which is shown in place of the form. */
  readonly ended?: string | null
  /** Of a preview, where the files of its look are: it has no launch code. */
  readonly files?: FileAddresses
}

type Mode = 'page' | 'step'

/**
 * The page of a hosted form, whole: every question is in it, and shows before any script runs. The script then takes
 * over sending, pages, checks and what the browser has no control of its own for.
 */
export function formPage(page: HostedPage): string {
  const { form, launchCode, base, own, settings } = page
  const { language, baseLanguage = language, languages = [language] } = page
  const wording = pageWording(language, baseLanguage, form.untranslated)
  const { say, langOf } = wording
  // Where no payments are taken online, the money has to find its way otherwise.
  const howToPay = say('howToPay', { name: page.tenantName })
  const { mode } = settings
  const { original = form, known = NOTHING, ended = null } = page
  const view = firstView({ form, original, settings }, known, wording.locale)
  const several = screensIn(form.pages, mode) > 1
  const screens = screensIn(form.pages.filter(view.comes), mode, view)
  const first = Math.max(0, form.pages.findIndex(view.comes))
  const thanks = ended ?? (settings.thanks === null ? null : view.fill(settings.thanks))
  const offersLater = settings.later && launchCode !== null
  const types = typesIn(form)
  const parts = partsOf(page, types, view.logic !== null)
  let number = 0
  return frame(
    { ...page, wording },
    form.title,
    html`<form id="form" class="card${mode === 'step' && ' stepped'}" novalidate data-mode="${mode}" data-path="${launchCode !== null && `${base}/f/${launchCode}`}"${languages.length > 1 && html` data-language="${language}"`} ${own}${ended !== null && html` hidden`}>
      ${coverOf(page)}
      ${launchCode !== null && languageLinks(languages, wording)}
      <div class="intro">
        <h1${langOf(form.title)}>${form.title}</h1>
        ${form.description !== null && html`<div class="description"${langOf(form.description)}>${trustedHtml(form.description)}</div>`}
      </div>
      <noscript><p class="notice">${say('needsScript')}</p></noscript>
      ${settings.later && html`<p class="notice" id="link-over" hidden>${say('linkOver')}</p>`}
      <div class="notice resumed" id="resumed" hidden><span>${say('answersKept')}</span> <button type="button" class="quiet" id="start-over">${say('startOver')}</button></div>
      ${several && progress(say(mode === 'page' ? 'pageOf' : 'stepOf', { page: 1, pages: screens }), screens)}
      ${form.pages.map((formPage, index) => {
        const section = pageSection(formPage, index, number, { mode, wording, view, isFirst: index === first })
        number += formPage.questions.filter(view.isShown).length
        return section
      })}
      <div class="website" aria-hidden="true"><label for="website">${say('leaveEmpty')}</label><input type="text" id="website" name="website" tabindex="-1" autocomplete="off"></div>
      <p class="due" id="due" hidden><span class="sum">${say('due')} <strong></strong></span> <small>${page.takesPayments ? say('payAfterSending') : howToPay}</small></p>
      ${view.logic && html`<p class="sr" id="news" role="status"></p>`}
      <p class="summary" id="summary" role="alert" tabindex="-1"></p>
      <div class="actions">
        <p class="stalled" id="stalled" role="status">${say('partMissing')} <a href="">${say('loadAgain')}</a></p>
        ${several && html`<button type="button" class="secondary" id="back" hidden>${say('back')}</button>`}
        <p class="status" id="status" role="status"></p>
        <button type="submit" class="primary" id="next" disabled>${say(screens > 1 ? 'next' : 'send')}</button>
        ${mode === 'step' && html`<p class="keys">${say('stepKeys')}</p>`}
      </div>
      ${offersLater && html`<p class="later-offer"><button type="button" class="quiet" id="go-on-later" disabled>${say('goOnLater')}</button></p>`}
    </form>
    ${offersLater && laterPanel(wording)}
    <section class="card done" id="done" tabindex="-1" aria-labelledby="done-title"${page.launchCode === null && html` data-leads="${say('leadsTo')}"`}${page.takesPayments && html` data-pays`}${settings.redirect !== null && html` data-redirect="${settings.redirect}"`}${ended === null && html` hidden`}>
      <span class="done-mark">${icons.tick}</span>
      <h1 id="done-title">${say('thankYou')}</h1>
      <div class="thanks" id="thanks"${langOf(settings.thanks)}>${thanks === null ? html`<p>${say('answersSent', { name: page.tenantName })}</p>` : trustedHtml(thanks)}</div>
      <p id="pay-note" role="status"${!page.takesPayments && html` data-how="${howToPay}"`}></p>
      <a class="primary" id="pay" rel="noopener" hidden></a>
    </section>
    <section class="card done" id="already-sent" tabindex="-1" aria-labelledby="already-sent-title" hidden>
      <h1 id="already-sent-title">${say('alreadySent')}</h1>
      <p>${say('alreadySentWhy')}</p>
    </section>
    <template id="words" data-list="${wording.list}" data-locale="${wording.locale}">${scriptWords(wording, { types, limitations: limitationsIn(form), places: placesIn(form), parts })}</template>
    ${view.logic && html`<template id="logic">${jsonText(view.logic)}</template>`}`,
    html`${firstParts.filter((name) => parts.has(name)).map((name) => script(name, page))}${script('form', page)}`,
  )
}

/** Where a respondent has a link mailed. A form of its own: nothing in it is an answer. */
function laterPanel({ say }: PageWording): Markup {
  return html`<form class="card" id="later" novalidate hidden aria-labelledby="later-title">
      <h2 id="later-title">${say('goOnLater')}</h2>
      <div class="later-fields">
        <p>${say('goOnHow')}</p>
        <label for="later-email">${say('email')}</label>
        <input class="text" type="email" id="later-email" autocomplete="email" maxlength="320" aria-describedby="later-status">
        <div class="later-actions"><button type="button" class="secondary" data-cancel>${say('cancel')}</button><button type="submit" class="primary">${say('sendLink')}</button></div>
      </div>
      <p id="later-status" role="status" tabindex="-1"></p>
    </form>`
}

/** They run in the order in which they stand, once the page is there. */
function script(name: 'form' | PartName, { base, version }: Pick<HostedPage, 'base' | 'version'>): Markup {
  return html`<script src="${base}/f/assets/${name}.js?v=${version}" defer></script>`
}

/** What stands where no form collects (decisions §6): in plain words, and the same whatever the reason. */
export function closedPage(base: string, version: string, language: string): string {
  const wording = pageWording(language)
  const { say } = wording
  return frame(
    { base, version, tenantName: null, wording, launchCode: null, settings: null },
    say('notAvailable'),
    html`<section class="card done">
      <h1>${say('notAvailable')}</h1>
      <p>${say('notAvailableWhy')}</p>
    </section>`,
    null,
  )
}

/** What stands around every page. */
interface Framed extends Pick<HostedPage, 'base' | 'version' | 'files'> {
  readonly tenantName: string | null
  readonly launchCode: string | null
  readonly wording: PageWording
  /** null where there is no form. */
  readonly settings: OtherSettings | null
}

function frame(page: Framed, title: string, content: Markup, script: Insert): string {
  const { base, version, tenantName, wording, settings } = page
  const scheme = settings?.scheme ?? 'auto'
  const files = filesOf(page)
  const css = settings && files ? lookOf(settings, files) : ''
  const isBacked = settings?.background != null || settings?.backgroundImage != null
  return html`<!doctype html>
<html lang="${wording.language}" dir="${wording.direction}" class="hue-${hueOf(tenantName ?? '')}${scheme !== 'auto' && ` ${scheme}`}${isBacked && ' backed'}${settings?.backgroundImage && ' pictured'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="${scheme === 'auto' ? 'light dark' : scheme}">
<title>${tenantName === null ? title : `${title} · ${tenantName}`}</title>
<link rel="stylesheet" href="${base}/f/assets/form.css?v=${version}">
${files?.fontFile?.startsWith('/') && html`<link rel="preload" href="${files.fontFile}" as="font" type="font/woff2" crossorigin>`}
${files?.logo && html`<link rel="icon" href="${files.logo}">`}
${css !== '' && html`<style>${trustedHtml(css)}</style>`}
${script}
</head>
<body>
${tenantName !== null && brand(page, tenantName)}
<main>
${content}
</main>
</body>
</html>
`.text
}

function filesOf({ base, launchCode, settings, files }: Omit<Framed, 'tenantName' | 'wording'>): FileAddresses | null {
  if (files || !settings) return files ?? null
  return fileAddresses(settings, launchCode === null ? null : `${base}/f/${launchCode}`)
}

/** A picture says nothing that is not said in words: screen readers pass it over. */
function coverOf(page: HostedPage): Insert {
  const { cover } = page.settings
  const address = filesOf(page)?.cover
  return (
    cover &&
    address &&
    html`<img class="cover" src="${address}" width="${cover.width}" height="${cover.height}" alt="">`
  )
}

/** Whose form it is: by their logo, else by the first letter of their name. */
function brand(page: Framed, tenantName: string): Markup {
  const { settings } = page
  const address = filesOf(page)?.logo
  if (settings?.logo && address) {
    const { width, height } = settings.logo
    return html`<header class="brand"><img class="logo" src="${address}" width="${width}" height="${height}" alt="${tenantName}"></header>`
  }
  return html`<header class="brand"><span class="monogram" aria-hidden="true">${initialOf(tenantName)}</span><span>${tenantName}</span></header>`
}

/**
 * What a page's form knows of the one who looks at it: the page's token, what came with the address, and where that is the
 * link to a response, what it leads to (`Linked`).
 */
export function ownAttributes(token: string, prefilled: object, hiddenFields: object, linked: object = {}): Markup {
  return html`data-token="${token}"${jsonAttribute('data-prefilled', prefilled)}${jsonAttribute('data-hidden', hiddenFields)}${jsonAttribute('data-linked', linked)}`
}

function jsonAttribute(name: string, value: object): Insert {
  return Object.keys(value).length > 0 && html` ${trustedHtml(name)}="${JSON.stringify(value)}"`
}

/** A page without questions has its title to show. */
function screensIn(pages: readonly FormPage[], mode: Mode, view?: FirstView): number {
  if (mode === 'page') return pages.length
  const steps = ({ questions }: FormPage) => (view ? questions.filter(view.isShown) : questions).length
  return pages.reduce((sum, page) => sum + Math.max(1, steps(page)), 0)
}

function progress(text: string, screens: number): Markup {
  return html`<div class="progress"><span id="progress-text">${text}</span><progress id="progress" max="${screens}" value="1" aria-labelledby="progress-text"></progress></div>`
}

/** The letter that stands for a name without a logo. */
export function initialOf(name: string): string {
  return [...new Intl.Segmenter().segment(name)][0]?.segment.toUpperCase() ?? ''
}

/** Which of the theme's hues a name has. */
export function hueOf(name: string): number {
  return Number(Bun.hash.crc32(name)) % HUES
}

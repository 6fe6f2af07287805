import { accentOf } from '../../hosted/page/accent.ts'
import { colourRules } from '../../hosted/page/look.ts'
import { html, type Markup, trustedHtml } from '../../lib/html/markup.ts'
import { type ChatWording, chatWordsOf } from '../words/index.ts'
import { icons } from './icons.ts'

/** What the chat of a source is made of. */
export interface ChatPage {
  /** Where it is reached, with the path of the service: `/chat/{sourceId}`. */
  readonly path: string
  /** Of the source: whose chat it is. */
  readonly name: string
  /** BCP 47. */
  readonly language: string
  /** `#rrggbb`, or null for a colour of our own. */
  readonly accent: string | null
  /** Whether somebody is there at the moment. */
  readonly isOpen: boolean
  /** What stands there instead of our own words while nobody is. */
  readonly awayText: string | null
  /** Path the service is reached under, mostly ''. */
  readonly base: string
  /** Version of the script and the style sheet, for their addresses: `chatAssets`. */
  readonly version: string
}

/** The rules of the source's own colour, to stand in its page and be named by its policy (`styleSource`); '' without one. */
export function chatLook(accent: string | null): string {
  return colourRules({ accent, background: null, scheme: 'auto' })
}

/** Those of `hosted/styles/theme.css` and `dark.css`. */
const OWN_ACCENT = { light: 'oklch(0.47 0.17 262)', dark: 'oklch(0.8 0.105 262)' }

/** The two shades of a button in the source's colour, on light devices and on dark ones. */
export function chatShades(accent: string | null): { light: string; dark: string } {
  if (accent === null) return OWN_ACCENT
  const { light, dark } = accentOf(accent)
  return { light: light.accent, dark: dark.accent }
}

/**
 * The page of a chat, which stands in a frame of the site it is on, or by itself. What changes is put in by its script;
 * settings come as attributes, words as inert JSON, so that nothing inline runs.
 */
export function chatPage(page: ChatPage): string {
  const wording = chatWordsOf(page.language)
  const { say } = wording
  const awayText = page.awayText ?? say('awayGreeting')
  return frame(
    { ...page, wording },
    html`<div id="chat" class="chat" data-path="${page.path}" data-name="${page.name}"${page.isOpen && html` data-open`}>
<header class="head">
  <button type="button" class="icon" id="back" aria-label="${say('backToList')}" hidden>${icons.back}</button>
  <div class="who"><h1 id="name" tabindex="-1"><bdi>${page.name}</bdi></h1><p class="presence"><span class="dot" aria-hidden="true"></span>${say(page.isOpen ? 'here' : 'away')}</p></div>
  <button type="button" class="icon" id="close" aria-label="${say('closeChat')}" hidden>${icons.cross}</button>
</header>
<main>
  <noscript><p class="notice">${say('needsScript')}</p></noscript>
  <section class="home" id="home" aria-labelledby="home-title" hidden>
    <h2 id="home-title" tabindex="-1">${say('conversations')}</h2>
    <ul class="conversations" id="conversations"></ul>
    <button type="button" class="primary" id="new">${say('newConversation')}</button>
  </section>
  <section class="talk" id="talk" aria-label="${say('conversation')}" hidden>
    <div class="reading">
    <div class="scroller" id="scroller" tabindex="0" role="group" aria-label="${say('conversation')}">
      <div class="greeting" id="greeting"><p class="hello">${say('greeting')}</p>${!page.isOpen && html`<p class="away">${awayText}</p>`}</div>
      <div class="log" id="log" role="log" aria-live="polite" aria-relevant="additions" aria-label="${say('conversation')}"></div>
      <div id="asked" class="asked" role="status" hidden></div>
      <p class="typing" id="typing" hidden><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span> <span id="typing-text"></span></p>
      <form class="details" id="details" novalidate hidden>
        <p id="details-why">${say('leaveEmail')}</p>
        <label for="email">${say('email')}</label>
        <input class="text" type="email" id="email" name="email" autocomplete="email" maxlength="320" aria-describedby="details-error">
        <label for="visitor-name">${say('name')} <small>${say('optional')}</small></label>
        <input class="text" type="text" id="visitor-name" name="name" autocomplete="name" maxlength="255">
        <p class="error" id="details-error" role="alert"></p>
        <div class="row"><button type="button" class="quiet" id="not-now">${say('notNow')}</button><button type="submit" class="primary">${say('save')}</button></div>
      </form>
    </div>
    <button type="button" class="newest" id="newest" aria-label="${say('goToNewest')}" hidden>${icons.down}</button>
    </div>
    <p class="notice" id="notice" role="status" hidden></p>
    <form class="composer" id="composer" novalidate>
      <p class="count wrong" id="wrong-file" role="alert" hidden></p>
      <ul class="attached" id="attached" hidden></ul>
      <input type="file" id="files" multiple hidden>
      <button type="button" class="icon" id="attach" aria-label="${say('attachFiles')}" title="${say('attachFiles')}">${icons.attach}</button>
      <label class="sr" for="text">${say('yourMessage')}</label>
      <textarea id="text" rows="1" placeholder="${say('writeMessage')}" aria-describedby="count" enterkeyhint="send" autocomplete="off"></textarea>
      <button type="submit" class="send" id="send" aria-label="${say('send')}">${icons.send}</button>
      <p class="count" id="count" hidden></p>
    </form>
    <p class="person" id="person" role="status"></p>
  </section>
</main>
<p class="sr" id="said" role="status"></p>
</div>
<template id="cross">${icons.cross}</template>
<template id="words" data-list="${wording.list}" data-locale="${wording.locale}">${JSON.stringify(wording.words)}</template>`,
    html`<script src="${page.base}/chat/assets/chat.js?v=${page.version}" defer></script>`,
  )
}

/** What stands where there is no chat, whatever the reason. */
export function noChatPage(base: string, version: string, language: string): string {
  const wording = chatWordsOf(language)
  const { say } = wording
  const name = say('notAvailable')
  return frame(
    { base, version, name, accent: null, wording },
    html`<main class="absent"><h1>${name}</h1><p>${say('notAvailableWhy')}</p></main>`,
    null,
  )
}

interface Framed extends Pick<ChatPage, 'base' | 'version' | 'name' | 'accent'> {
  readonly wording: ChatWording
}

function frame({ base, version, name, accent, wording }: Framed, content: Markup, script: Markup | null): string {
  const css = chatLook(accent)
  return html`<!doctype html>
<html lang="${wording.language}" dir="${wording.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="stylesheet" href="${base}/chat/assets/chat.css?v=${version}">
${css !== '' && html`<style>${trustedHtml(css)}</style>`}
${script}
</head>
<body>
${content}
</body>
</html>
`.text
}

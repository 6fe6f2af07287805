import { html, type Markup } from '../lib/html/markup.ts'
import type { Session } from '../users/sessions/sessions.ts'
import { scriptPath, stylePath } from './assets.ts'
import { csrfInput } from './components/forms.ts'
import { choices, menu } from './components/menus.ts'
import { problemSummary } from './components/problem.ts'
import { finder, palette } from './find/palette.ts'
import type { Flash } from './flash.ts'
import { icons } from './icons.ts'
import type { NavigationEntry } from './navigation.ts'
import { type Theme, themes } from './theme.ts'
import type { PageContent, Problem, View } from './visit.ts'

/** What stands around the content of a page. */
export interface Frame {
  readonly view: View
  /** Null: nobody is signed in, and there is nowhere to go. */
  readonly session: Session | null
  readonly navigation: readonly (readonly NavigationEntry[])[]
  /** Where one goes most, on a phone. */
  readonly bar: readonly NavigationEntry[]
  /** What was done just now. */
  readonly flash: Flash | null
  readonly theme: Theme
  /** Why a form was not taken. */
  readonly problem: Problem | null
}

/** A page of the console, whole. Nothing inline runs. */
export function consolePage(content: PageContent, frame: Frame): string {
  const { view, session, theme } = frame
  const { say, language, direction } = view.wording
  const name = frame.problem ? say('problemTitle', { title: content.title }) : content.title
  const title = session ? say('windowTitle', { title: name, tenant: session.tenantName }) : `${name} · frontdesk`
  // Whoever was signed out, or had another session, gets such a page instead of what the form they sent leads to.
  const hasTakenNothing = !session || ((content.status ?? 200) >= 400 && !frame.problem)
  return html`<!doctype html>
<html lang="${language}" dir="${direction}"${theme !== 'system' && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">
${session && html`<meta name="csrf-token" content="${view.csrf}">`}
<title>${title}</title>
<link rel="icon" href="${view.href('/favicon.ico')}">
<link rel="stylesheet" href="${view.href(stylePath)}">
${['console' as const, ...(content.scripts ?? [])].map((name) => html`<script src="${view.href(scriptPath(name))}" defer></script>`)}
</head>
<body class="${session ? 'desk' : 'door'}${content.isDesk && ' paned'}" data-copied="${say('copied')}"${hasTakenNothing && html` data-untaken`}>
<a class="skip" href="#main">${say('skip')}</a>
${session ? header(frame, session, content.within) : html`<header class="top"><span class="monogram" aria-hidden="true">f</span><span>frontdesk</span></header>`}
<main id="main" tabindex="-1"${content.width === 'narrow' && html` class="narrow"`}>
${flash(view, frame.flash)}
${frame.problem && problemSummary(view, frame.problem, content.body)}
${content.body}
</main>
${session && palette(view, session)}
</body>
</html>
`.text
}

/** What was done just now, which is read out as it appears, with what takes it back. */
function flash(view: View, said: Flash | null): Markup {
  const undo = said?.undo
  const form =
    undo &&
    html`<form method="post" action="${view.href(undo.action)}">${csrfInput(view)}${undo.fields.map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}<button class="secondary" data-undo>${view.wording.say('takeBack')}</button></form>`
  return html`<div class="said-above" data-said${undo?.seconds !== undefined && html` data-seconds="${undo.seconds}"`}><p class="flash${said?.warns && ' warn'}" role="status">${said?.text}</p>${form}</div>`
}

function header(frame: Frame, session: Session, within?: Markup): Markup {
  const { view } = frame
  const { say } = view.wording
  return html`<header class="top">
<a class="tenant" href="${view.href('/console')}"><span class="monogram" aria-hidden="true">${[...session.tenantName][0]}</span><span class="name">${session.tenantName}</span></a>
<details class="menu" data-menu>
<summary title="${say('menu')}">${icons.menu}<span>${say('menu')}</span></summary>
</details>
<div class="pages">
<nav aria-label="${say('navigation')}">${finder(view)}${frame.navigation.map((group) => html`<ul>${group.map((entry) => item(view, entry, within))}</ul>`)}</nav>
<div class="self">
<a href="${view.href('/console/account')}" aria-label="${say('navAccount')}: ${session.principal.name}" title="${say('navAccount')}">${icons.account}<span>${session.principal.name}</span></a>
${themeMenu(view, frame.theme)}
<form method="post" action="${view.href('/console/sign-out')}">${csrfInput(view)}<button class="quiet" title="${say('signOut')}">${icons.signOut}<span>${say('signOut')}</span></button></form>
</div>
</div>
<nav class="bar" aria-label="${say('bar')}" data-bar>${frame.bar.map((entry) => link(view, entry))}</nav>
</header>`
}

const themeWords = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

/** The switch of how pages look, which a script applies at once. */
function themeMenu(view: View, theme: Theme): Markup {
  const { say } = view.wording
  return menu(
    { name: 'theme', icon: icons.theme, label: say('theme') },
    html`<form method="post" action="${view.href('/console/account/theme')}" class="stack" data-theme-switch>${csrfInput(view)}${choices(
      'theme',
      themes.map((one) => [one, say(themeWords[one])] as const),
      theme,
    )}</form>`,
  )
}

function item(view: View, entry: NavigationEntry, within?: Markup): Markup {
  return html`<li>${link(view, entry)}${entry.isCurrent && within}</li>`
}

function link(view: View, { path, word, icon, isCurrent }: NavigationEntry): Markup {
  // None of these words has a place to fill in.
  const text = view.wording.words[word] as string
  return html`<a href="${view.href(path)}" title="${text}"${isCurrent && html` aria-current="page"`}>${icon}<span>${text}</span></a>`
}

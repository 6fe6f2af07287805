import { html, type Markup } from '../../lib/html/markup.ts'
import type { ScriptName } from '../assets.ts'
import type { Visit } from '../visit.ts'

/** What single keys do, in the order of the sheet; `client/shortcuts.ts` does it. */
const keys = {
  list: [
    ['j', 'keyNextTicket'],
    ['k', 'keyPreviousTicket'],
    ['Enter', 'keyOpenTicket'],
    ['x', 'keyTick'],
    ['a', 'keyTakeTicked'],
    ['e', 'keyCloseTicked'],
    ['/', 'keySearch'],
    ['?', 'keySheet'],
  ],
  ticket: [
    ['r', 'keyReply'],
    ['n', 'keyNote'],
    ['a', 'keyTake'],
    ['e', 'keyClose'],
    ['j', 'keyNextMessage'],
    ['k', 'keyPreviousMessage'],
    ['u', 'keyBack'],
    ['/', 'keySearch'],
    ['?', 'keySheet'],
  ],
} as const

/** The script of the keys, for those who use them. */
export function shortcutScripts({ session }: Visit): ScriptName[] {
  return session.usesShortcuts ? ['shortcuts'] : []
}

/** The button that a script shows, and the sheet of keys that it opens. Nothing for those who have turned them off. */
export function shortcutSheet(visit: Visit, page: keyof typeof keys): Markup | false {
  if (!visit.session.usesShortcuts) return false
  const { say } = visit.wording
  const rows = keys[page].map(([key, word]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${say(word)}</dd></div>`)
  return html`<div class="shortcuts" data-shortcuts="${page}" data-search="${visit.href('/console/inbox')}"><button type="button" class="quiet" aria-haspopup="dialog" hidden>${say('shortcutsTitle')} <kbd>?</kbd></button><dialog aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">${say('shortcutsTitle')}</h2><dl>${rows}</dl><p class="help">${say('shortcutsHelp')} <a href="${visit.href('/console/account')}">${say('shortcutsOff')}</a></p><form method="dialog"><button class="secondary" autofocus>${say('closeSheet')}</button></form></dialog></div>`
}

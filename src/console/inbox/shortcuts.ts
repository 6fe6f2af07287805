import { html, type Markup } from '../../lib/html/markup.ts'
import type { Visit } from '../visit.ts'

/** What single keys do, in the order of the sheet; `client/desk/keys.ts` does it. */
const keys = [
  ['j', 'keyNextTicket'],
  ['k', 'keyPreviousTicket'],
  ['o', 'keyOpenTicket'],
  ['r', 'keyReply'],
  ['n', 'keyNote'],
  ['f', 'keyForward'],
  ['c', 'keyNew'],
  ['a', 'keyAssign'],
  ['t', 'keyTags'],
  ['p', 'keyPriority'],
  ['s', 'keySnooze'],
  ['e', 'keyClose'],
  ['u', 'keyUndo'],
  ['x', 'keyTick'],
  ['/', 'keySearch'],
  ['?', 'keySheet'],
] as const

/** Keys that work while somebody types, too. */
const held = [
  ['Ctrl+Enter', 'keySend'],
  ['Ctrl+Shift+Enter', 'keySendAndClose'],
  ['Ctrl+K', 'keyFind'],
  ['Esc', 'keyLeave'],
] as const

/** Opens the sheet of keys, which only a script does. Nothing for those who have turned them off. */
export function shortcutOpener({ session, wording }: Visit): Markup | false {
  return (
    session.usesShortcuts &&
    html`<button type="button" class="choice" aria-haspopup="dialog" data-open-sheet hidden>${wording.say('shortcutsTitle')} <kbd>?</kbd></button>`
  )
}

/** The sheet of keys. Nothing for those who have turned them off. */
export function shortcutSheet(visit: Visit): Markup | false {
  if (!visit.session.usesShortcuts) return false
  const { say } = visit.wording
  const rows = [...keys, ...held].map(([key, word]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${say(word)}</dd></div>`)
  return html`<div class="shortcuts" data-shortcuts data-search="${visit.href('/console/inbox')}" data-new="${visit.href('/console/inbox/new')}"><dialog aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">${say('shortcutsTitle')}</h2><dl>${rows}</dl><p class="help">${say('shortcutsHelp')} <a href="${visit.href('/console/account')}">${say('shortcutsOff')}</a></p><form method="dialog"><button class="secondary" autofocus>${say('closeSheet')}</button></form></dialog></div>`
}

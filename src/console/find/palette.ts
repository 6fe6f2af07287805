import { html, type Markup } from '../../lib/html/markup.ts'
import type { Session } from '../../users/sessions/sessions.ts'
import { icons } from '../icons.ts'
import type { View } from '../visit.ts'

export const FIND_PATH = '/console/find'

/** Leads to the page that finds; a script opens the palette instead. */
export function finder(view: View): Markup {
  const { say } = view.wording
  return html`<a class="finder" href="${view.href(FIND_PATH)}" title="${say('findTitle')}" data-find>${icons.search}<span>${say('find')}</span><kbd hidden></kbd></a>`
}

/** The palette, which a script fills and opens; what it remembers is this person's. */
export function palette(view: View, { principal }: Session): Markup {
  const { say } = view.wording
  const path = view.href(FIND_PATH)
  return html`<dialog class="palette" aria-label="${say('findTitle')}" data-palette="${principal.userId}" data-list="${path}/list" data-used="${say('findUsed')}" data-actions="${say('findActions')}"><form method="get" action="${path}"><input class="text" type="text" name="q" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" spellcheck="false" maxlength="200" placeholder="${say('findField')}" aria-label="${say('findField')}"></form>
<div class="found" id="palette-list" role="listbox" aria-label="${say('findTitle')}"></div><p class="help" role="status" data-count="${say('findCount')}" data-none="${say('findNothing')}"></p>
<template><section><h2></h2><ul class="finds"></ul></section><li><a><span dir="auto"></span><small dir="auto"></small><kbd></kbd></a></li></template></dialog>`
}

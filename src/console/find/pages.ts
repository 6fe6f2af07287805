import { html, type Markup } from '../../lib/html/markup.ts'
import { pageHead } from '../components/display.ts'
import { button } from '../components/forms.ts'
import type { Guard } from '../guard.ts'
import type { View, Visit } from '../visit.ts'
import { type FoundGroup, findAll } from './find.ts'
import { FIND_PATH } from './palette.ts'

/** The longest text that is looked for, in characters. */
const MAX_TEXT = 200

/** By itself it is nothing to be shown, whoever has its address opened. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Finding by a few letters: a page, and its list alone for the palette. */
export function findPages(add: Guard): void {
  const find = (visit: Visit) => findAll(visit, add.roles, askedIn(visit))

  add.page(FIND_PATH, {}, async (visit) => {
    const { say } = visit.wording
    const groups = await find(visit)
    return {
      title: say('findTitle'),
      width: 'narrow',
      body: html`${pageHead(say('findTitle'), null, say('findHelp'))}
<form method="get" action="${visit.href(FIND_PATH)}" role="search" class="found-form"><input class="text" type="search" name="q" value="${askedIn(visit)}" maxlength="${MAX_TEXT}" aria-label="${say('findField')}" autocomplete="off">${button(say('find'))}</form>
<div class="found">${groups.length > 0 ? foundList(visit, groups) : html`<p role="status">${say('findNothing')}</p>`}</div>`,
    }
  })

  add.resource(`${FIND_PATH}/list`, {}, async (visit) => {
    const { text } = foundList(visit, await find(visit))
    return new Response(text, { headers: HEADERS })
  })
}

function askedIn({ query }: Visit): string {
  return (query.get('q') ?? '').slice(0, MAX_TEXT).toWellFormed().trim()
}

function foundList(view: View, groups: readonly FoundGroup[]): Markup {
  const { say } = view.wording
  return html`${groups.map(
    ({ word, items }) =>
      html`<section><h2>${say(word)}</h2><ul class="finds">${items.map(
        ({ path, text, detail }) =>
          html`<li><a href="${view.href(path)}"><span dir="auto">${text}</span>${detail && html`<small dir="auto">${detail}</small>`}</a></li>`,
      )}</ul></section>`,
  )}`
}

import { html, type Markup, ownHtml } from '../../lib/html/markup.ts'
import type { Problem, View } from '../visit.ts'
import { fieldId } from './forms.ts'

/**
 * Why a form was not taken, above its page: what is wrong where, with a link to it. It has the focus when the page is
 * there, with scripts or without, so that whoever sent the form is told first, and is on the way to the field.
 */
export function problemSummary(view: View, { field, text }: Problem, body: Markup): Markup {
  const id = field === null ? null : controlOn(body, fieldId(field))
  const name = id === null ? '' : nameOn(body, id)
  const why = name === '' ? text : html`${ownHtml(name)}: ${text}`
  return html`<div class="problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem"><h2 id="problem">${view.wording.say('problem')}</h2><p>${
    id === null ? why : html`<a href="#${id}">${why}</a>`
  }</p></div>`
}

/**
 * The id of a control on the page, or of the one that says that it is wrong: where two forms have a field of that name, one
 * goes by another. Null where there is none, and a link would lead nowhere.
 */
function controlOn({ text }: Markup, wanted: string): string | null {
  let [isThere, wrong] = [false, null as string | null]
  new HTMLRewriter()
    .on(`[id="${wanted}"]`, {
      element() {
        isThere = true
      },
    })
    .on('[aria-invalid="true"]', {
      element(control) {
        wrong ??= control.getAttribute('id')
      },
    })
    .transform(text)
  return isThere ? wanted : wrong
}

/** What its label says, or its group's legend, or itself, but for what is said in small letters; as it is written in HTML. */
function nameOn({ text }: Markup, id: string): string {
  let [label, own, isSmall] = ['', '', false]
  const said: HTMLRewriterTypes.HTMLRewriterElementContentHandlers = {
    text(chunk) {
      if (!isSmall) label += chunk.text
    },
  }
  new HTMLRewriter()
    .on(`label[for="${id}"] small`, {
      element(small) {
        isSmall = true
        small.onEndTag(() => {
          isSmall = false
        })
      },
    })
    .on(`label[for="${id}"]`, said)
    .on(`fieldset[id="${id}"] > legend`, said)
    .on(`[id="${id}"][aria-label]`, {
      element(control) {
        own = control.getAttribute('aria-label') ?? ''
      },
    })
    .transform(text)
  return label.trim() || own
}

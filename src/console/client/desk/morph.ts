import { Idiomorph } from 'idiomorph'
import { showTimes } from '../times.ts'
import { showZone } from '../zone.ts'

/** A part of a page that came, ready to be shown: in the reader's own time. */
export function taken<E extends Element>(part: E): E {
  const fresh = document.importNode(part, true)
  showTimes(fresh)
  showZone(fresh)
  return fresh
}

/**
 * Makes a part of the page what it is in a page that came. What has the focus keeps it, what is being filled in keeps what
 * it holds, what is ticked stays so, menus that are open stay open, and what is already right is not touched.
 */
export function morph(shown: Element, part: Element): void {
  // Of any other element that has the focus, a button say, the library would keep words and value as they were.
  const isFillingIn = document.activeElement?.matches('input, textarea, select') ?? false
  Idiomorph.morph(shown, taken(part), {
    morphStyle: 'outerHTML',
    ignoreActiveValue: isFillingIn,
    callbacks: {
      beforeAttributeUpdated: (name, element) =>
        !(name === 'checked' && element.matches('input')) && !(name === 'open' && element.matches('details')),
      beforeNodeMorphed: (element) => !(element instanceof Element && element.matches('input[name="ticket"]')),
    },
  })
}

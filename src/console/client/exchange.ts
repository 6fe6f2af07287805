/*
 * What the server has written anew takes the place of what shows, while somebody may be at work in it. Used where a choice
 * or a step changes what a form consists of.
 */

interface Exchange {
  readonly shown: HTMLElement
  readonly other: HTMLElement
  /** What had the focus as the change was asked for. */
  readonly from: Element | null
  /** What does in `other` as something in `shown` does. */
  twin(control: HTMLElement): HTMLElement | null
  /** Where whoever has asked for the change goes on. */
  next(): HTMLElement | null | undefined
}

/**
 * Puts `other` in the place of `shown`. Whoever has gone on to another field since they asked for it, in it or
 * elsewhere, stays there, with the cursor where it was; others go on with what is next.
 */
export function exchange({ shown, other, from, twin, next }: Exchange): void {
  const { activeElement: active } = document
  const isThere = active instanceof HTMLElement && shown.contains(active)
  const goneOn = isThere && active !== from ? twin(active) : null
  const cursor = isThere ? cursorIn(active) : null
  shown.replaceWith(other)
  const isElsewhere = !isThere && active !== null && active !== document.body
  const place = isElsewhere ? null : (goneOn ?? next())
  place?.focus()
  if (goneOn && cursor && isText(goneOn)) goneOn.setSelectionRange(...cursor)
}

/** Null of fields that tell no place in them, such as dates and numbers. */
function cursorIn(element: Element): [number, number] | null {
  if (!isText(element)) return null
  const { selectionStart, selectionEnd } = element
  return selectionStart === null || selectionEnd === null ? null : [selectionStart, selectionEnd]
}

const isText = (element: Element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

import { one } from './dom.ts'
import { say } from './words.ts'

/** How near to the end counts as there, in pixels. */
const NEAR = 80
/** How long somebody is taken to be typing, in milliseconds. */
const TYPING = 6000

/** Where a conversation stands that scrolls: at its end, unless its reader went back; and who is typing. */
export function talk() {
  const scroller = one(document, '#scroller')
  const newest = one(document, '#newest')
  const typing = one(document, '#typing')
  let isAtEnd = true
  let timer: ReturnType<typeof setTimeout> | undefined

  const distance = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight

  function moved(): void {
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight
    newest.hidden = isAtEnd || distance() < NEAR
  }

  function toEnd(): void {
    isAtEnd = true
    moved()
  }

  scroller.addEventListener('scroll', () => {
    isAtEnd = distance() < NEAR
    if (isAtEnd) newest.hidden = true
  })
  newest.addEventListener('click', () => {
    toEnd()
    scroller.focus()
  })
  // The field grows, a keyboard opens, pictures load.
  const watch = new ResizeObserver(moved)
  watch.observe(scroller)
  watch.observe(one(document, '#log'))

  return {
    moved,
    toEnd,
    /** Shows an element that has come to the end: all of it, or what fits from its beginning. */
    fromTopOf(element: HTMLElement): void {
      moved()
      const above = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top
      if (above <= 0) return
      isAtEnd = false
      scroller.scrollTop -= above
      moved()
    },
    /** Shows that somebody is typing, for a while; null: nobody is. */
    typing(name: string | null): void {
      clearTimeout(timer)
      typing.hidden = name === null
      if (name === null) return
      one(typing, '#typing-text').textContent = say('typing', { name })
      timer = setTimeout(() => (typing.hidden = true), TYPING)
      moved()
    },
  }
}

import { post } from '../writing/autosave.ts'

/** After how long a pause the page is shown anew, in milliseconds. */
const PAUSE = 700
/** After how long it is tried again, in milliseconds. */
const LATER = 5000

/** Shows the page that an article would make beside it, or, where there is no room, in its place when asked to. */
export function startPreview(place: HTMLElement, form: HTMLFormElement): void {
  const pane = place.querySelector<HTMLElement>('[data-preview]')
  const frame = pane?.querySelector('iframe')
  const choice = place.querySelector<HTMLElement>('[data-view]')
  if (!pane || !frame || !choice) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown = ''
  let isUnderWay = false

  const show = async () => {
    clearTimeout(timer)
    const fields = fieldsOf(form)
    const now = JSON.stringify(fields)
    // What nobody sees is not made; what is under way is looked at again once it is there.
    if (isUnderWay || now === shown || pane.getClientRects().length === 0) return
    isUnderWay = true
    const answer = await post(pane.dataset.preview ?? '', fields)
    isUnderWay = false
    if (!answer?.ok) {
      timer = setTimeout(show, LATER)
      return
    }
    shown = now
    const { page } = (await answer.json()) as { page: string }
    put(frame, page)
    if (JSON.stringify(fieldsOf(form)) !== now) plan()
  }
  const plan = () => {
    clearTimeout(timer)
    timer = setTimeout(show, PAUSE)
  }

  for (const shownPage of place.querySelectorAll<HTMLIFrameElement>('.previewed iframe')) keepInPlace(shownPage)
  pane.hidden = false
  choice.hidden = false
  place.dataset.shows = 'write'
  choice.addEventListener('change', ({ target }) => {
    place.dataset.shows = (target as HTMLInputElement).value === 'preview' ? 'preview' : 'write'
    void show()
  })
  const beside = place.querySelector<HTMLElement>('[data-choose-beside]')
  if (beside) {
    beside.hidden = false
    place.dataset.beside = 'original'
    beside.addEventListener('change', ({ target }) => {
      place.dataset.beside = (target as HTMLInputElement).value
      void show()
    })
  }
  form.querySelector<HTMLElement>('button[value="preview"]')?.remove()
  form.addEventListener('input', plan)
  form.addEventListener('change', plan)
  window.addEventListener('resize', plan)
  void show()
}

/** Its links lead to pages that do not stand beside what is written: no frame may show them, and the preview would be gone. */
function keepInPlace(frame: HTMLIFrameElement): void {
  const hold = () =>
    frame.contentDocument?.addEventListener('click', (event) => {
      // What is in a frame is of another window's kinds.
      const link = (event.target as Element).closest('a[href]')
      if (link && !link.getAttribute('href')?.startsWith('#')) event.preventDefault()
    })
  frame.addEventListener('load', hold)
  hold()
}

/** The frame stays where its reader has scrolled to. */
function put(frame: HTMLIFrameElement, page: string): void {
  const top = frame.contentWindow?.scrollY ?? 0
  frame.addEventListener('load', () => frame.contentWindow?.scrollTo(0, top), { once: true })
  frame.srcdoc = page
}

function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const value = (name: string) => (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? ''
  return {
    slug: value('article') || value('slug'),
    language: value('language'),
    title: value('title'),
    content: value('content'),
    format: value('format'),
  }
}

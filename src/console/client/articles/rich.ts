import type { Allowed } from '../writing/pasted.ts'
import { inAnswers } from '../writing/pasted.ts'
import { isEmpty, makeRichText, type RichText } from '../writing/rich-text.ts'
import { differenceOf, htmlOf, markdownOf } from './markdown.ts'

/** Longer articles are written as Markdown alone, in characters: each pause makes all of it anew. */
const MOST = 200_000
/** After how long a pause the Markdown is written, in milliseconds. */
const PAUSE = 200

const inArticles: Allowed = {
  tags: [...inAnswers.tags, 'h5', 'h6', 'hr'],
  attributes: ['href', 'src', 'alt', 'title', 'align', 'start', 'class'],
  // Other articles by their slugs, too.
  links: /^(?:https?:\/\/|mailto:|\/|[A-Za-z0-9\-._~]{1,200}$)/i,
  images: /^https:\/\/|^\/(?:[^?#]*\/)?help\/[0-9a-f-]{36}\/images\/[0-9a-f-]{36}$/,
}

/** How an article is written: in the editor, or as Markdown. */
type Mode = 'rich' | 'markdown'

/**
 * The editor in the place of the Markdown, which is what is kept and sent. It is there only for what it gives back as it
 * was: what it cannot hold stays Markdown, and says why. What nobody touches stays byte for byte. Returns what puts a picture
 * where the writer is.
 */
export function startRich(place: HTMLElement, form: HTMLFormElement): ((path: string, alt: string) => void) | null {
  const field = place.querySelector<HTMLElement>('[data-rich-article]')
  const source = field?.querySelector('textarea')
  const label = field?.querySelector<HTMLLabelElement>(`label[for="${source?.id}"]`)
  const format = form.elements.namedItem('format') as HTMLSelectElement | null
  const modes = [...place.querySelectorAll<HTMLInputElement>('[data-view] input:not([value="preview"])')]
  if (!field || !source || !label || !format) return null
  // Where the service lies on this host, no article says.
  const base = place.dataset.base ?? ''
  const shown = (value: string) => htmlOf(value).replaceAll('src="/help/', `src="${base}/help/`)
  const written = (html: string, text: HTMLElement) =>
    isEmpty(text) ? '' : markdownOf(html.replaceAll(`src="${base}/help/`, 'src="/help/'))
  const rich = makeRichText(field, source, label, {
    allowed: inArticles,
    ownLinks: OWN_LINKS,
    htmlOf: shown,
    valueOf: written,
  })
  const why = place.querySelector<HTMLElement>('[data-why-markdown]')
  let timer: ReturnType<typeof setTimeout> | undefined
  let mode: Mode = 'markdown'
  let before = ''

  const write = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const html = rich.editor.getHTML()
    // The editor tells of more than what its writer does, of what is tried in it, too.
    if (mode !== 'rich' || html === before) return
    before = html
    source.value = written(html, rich.text)
    source.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const set = (wanted: Mode) => {
    write()
    const problem =
      wanted === 'rich' && format.value === 'markdown' ? problemOf(rich, source.value, shown(source.value)) : null
    mode = wanted === 'rich' && format.value === 'markdown' && problem === null ? 'rich' : 'markdown'
    rich.show(mode === 'rich')
    before = rich.editor.getHTML()
    for (const one of modes) {
      if (one.value === mode && !one.checked && wanted !== mode) one.checked = true
      one.closest('label')?.toggleAttribute('hidden', format.value !== 'markdown' && one.value === 'rich')
    }
    if (why) why.textContent = problem === null ? '' : (why.dataset.whyMarkdown ?? '').replace('{text}', problem)
  }

  rich.editor.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(write, PAUSE)
  })
  for (const one of modes)
    one.addEventListener('change', () => {
      if (one.checked) set(one.value as Mode)
    })
  format.addEventListener('change', () => set(mode))
  // What a copy on this computer brought back.
  source.addEventListener('restored', () => set('rich'))
  for (const [target, occasion] of [
    [form, 'submit'],
    [form, 'focusout'],
    [window, 'pagehide'],
  ] as const)
    target.addEventListener(occasion, write, true)
  set(modes.find(({ checked }) => checked)?.value === 'markdown' ? 'markdown' : 'rich')
  return (path, alt) => {
    if (mode === 'rich') {
      rich.editor.insertImage(base + path, { alt })
      rich.editor.focus()
      return
    }
    const mark =
      format.value === 'html'
        ? `<img src="${path}" alt="${alt.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
        : `![${alt.replace(/[[\]\\]/g, '\\$&')}](${path})`
    source.setRangeText(mark, source.selectionStart, source.selectionEnd, 'end')
    source.dispatchEvent(new Event('input', { bubbles: true }))
    source.focus()
  }
}

/** Another article of the help centre, by its slug. */
const OWN_LINKS = /^[A-Za-z0-9\-_~]{1,200}$/

/** The beginning of what the editor would change of an article by holding it; null where it would not. */
function problemOf(rich: RichText, value: string, shown: string): string | null {
  if (value.length > MOST) return value.slice(0, 60).trim()
  return differenceOf(htmlOf(value), htmlOf(rich.heldOf(shown)))
}

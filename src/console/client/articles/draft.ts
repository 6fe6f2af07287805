import { autosave, post } from '../writing/autosave.ts'

/** What is kept of an article: the fields of its form that people fill in. */
const FIELDS = ['title', 'slug', 'content', 'format', 'canonicalUrl'] as const

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Fields = Partial<Record<(typeof FIELDS)[number], string>>

/** Keeps an article as it is typed, as its draft. */
export function keepArticle(place: HTMLElement, form: HTMLFormElement): void {
  const prefix = `article ${place.dataset.articleEditor} `
  forgetPublished(prefix)
  const controls = FIELDS.flatMap((name) => {
    const control = form.elements.namedItem(name) as Control | null
    return control ? [[name, control] as const] : []
  })
  const changed = autosave<Fields>(
    form,
    {
      key: prefix + location.pathname,
      place,
      read: () => Object.fromEntries(controls.map(([name, { value }]) => [name, value])),
      show: (kept) => {
        for (const [name, control] of controls) {
          control.value = kept[name] ?? control.value
          control.dispatchEvent(new Event('input', { bubbles: true }))
          control.dispatchEvent(new Event('restored'))
        }
      },
      send: (fields, keepalive) => send(place, form, fields, keepalive),
    },
    new AbortController().signal,
  )
  form.addEventListener('input', changed)
  form.addEventListener('change', changed)
  // Enter in a field would publish.
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
  })
}

async function send(
  place: HTMLElement,
  form: HTMLFormElement,
  fields: Fields,
  keepalive: boolean,
): Promise<boolean | string> {
  const hidden = (name: string) => form.elements.namedItem(name) as HTMLInputElement | null
  const revision = hidden('revision')
  const body = {
    ...fields,
    article: hidden('article')?.value ?? '',
    language: hidden('language')?.value ?? '',
    draft: hidden('draft')?.value ?? '',
    revision: Number(revision?.value),
    writer: hidden('writer')?.value ?? '',
  }
  const answer = await post(place.dataset.keep ?? '', body, keepalive)
  const notice = place.querySelector<HTMLElement>('[data-not-kept]')
  if (answer?.ok) {
    const kept = (await answer.json()) as { draft: string; revision: number }
    if (revision) revision.value = String(kept.revision)
    showKept(place, form, kept.draft)
    return true
  }
  say(place, '')
  if (answer?.status === 409) return notice?.dataset.changed ?? ''
  return false
}

const status = (place: HTMLElement) => place.querySelector<HTMLElement>('[data-draft-kept]')

function say(place: HTMLElement, text: string): void {
  const line = status(place)
  if (line) line.textContent = text
}

/** The draft of a new article has an address of its own from now on. */
function showKept(place: HTMLElement, form: HTMLFormElement, draft: string): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-draft-state]')) part.hidden = false
  say(place, status(place)?.dataset.draftKept ?? '')
  if (/\/new$/.test(location.pathname) && form.elements.namedItem('draft'))
    history.replaceState(null, '', location.pathname.replace(/new$/, `drafts/${draft}`))
}

interface Copy {
  readonly sentAfter: string | null
}

/** Whoever comes from the form of a new article to a published one has published it: this computer needs it no longer. */
function forgetPublished(prefix: string): void {
  const isOfNew = (path: string) => /\/(?:new|drafts\/[^/]+)$/.test(path)
  if (isOfNew(location.pathname) || !URL.canParse(document.referrer)) return
  if (!isOfNew(new URL(document.referrer).pathname)) return
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(prefix) || !isOfNew(key)) continue
    if ((JSON.parse(localStorage.getItem(key) ?? '{}') as Copy).sentAfter !== null) localStorage.removeItem(key)
  }
}

import type { FormPage } from './form-page.ts'
import type { PartName } from './names.ts'
import type { Parts } from './parts.ts'

/** A place of the page that waits for its part. */
interface Waiting {
  readonly name: PartName
  readonly bind: (part: never) => void
  /** What was pressed in it meanwhile, in order. */
  readonly pressed: HTMLElement[]
  readonly listening: AbortController
  isNeeded: boolean
}

/** How near a place comes to the window before its part is fetched. */
const NEAR = '100%'

/** What a part is needed for at once. */
const TOUCHES = ['focusin', 'pointerdown', 'input', 'change'] as const

/** Buttons and links that do nothing without their part. Links in what a question asks are not among them. */
const PRESSED = '.control button, .languages a, #go-on-later'

/**
 * Fetches parts of the page's script from beside it (`script` is its address) when they are needed: as their place in the
 * page comes near, is touched, or has to be judged. What is pressed before is kept, and pressed again then.
 */
export function partsOf({ parts }: FormPage, script: string) {
  const loads = new Map<PartName, Promise<boolean>>()
  const places = new Map<HTMLElement, Waiting>()
  const observer = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) need([target as HTMLElement])
    },
    { rootMargin: NEAR },
  )
  addEventListener('online', () => {
    need([...places].flatMap(([place, { isNeeded }]) => (isNeeded ? place : [])))
  })

  /** Fetches a part, once. Resolves with whether it is there; one that did not come is asked for again the next time. */
  function load(name: PartName): Promise<boolean> {
    const underWay = parts[name] ? Promise.resolve(true) : loads.get(name)
    if (underWay) return underWay
    const load = new Promise<boolean>((resolve) => {
      const element = document.createElement('script')
      const address = new URL(script)
      address.pathname = address.pathname.replace(/[^/]+$/, `${name}.js`)
      element.src = address.href
      element.onload = element.onerror = () => {
        loads.delete(name)
        element.remove()
        if (parts[name]) bindAll(name)
        resolve(name in parts)
      }
      document.head.append(element)
    })
    loads.set(name, load)
    return load
  }

  function bindAll(name: PartName): void {
    for (const [place, waiting] of places) if (waiting.name === name) bind(place, waiting)
  }

  function bind(place: HTMLElement, { name, bind, pressed, listening }: Waiting): void {
    places.delete(place)
    observer.unobserve(place)
    listening.abort()
    delete place.dataset.awaits
    bind(parts[name] as never)
    for (const element of pressed) element.click()
  }

  /** Has a part do its work in a place, by `bind`, as soon as it is there; without `isNear`, it is fetched when it is pressed. */
  function attend<P extends PartName>(
    name: P,
    place: HTMLElement,
    bind: (part: Parts[P]) => void,
    isNear = true,
  ): void {
    const waiting: Waiting = { name, bind, pressed: [], listening: new AbortController(), isNeeded: false }
    const options = { capture: true, signal: waiting.listening.signal }
    place.dataset.awaits = name
    places.set(place, waiting)
    place.addEventListener('click', (event) => keep(event, waiting.pressed), options)
    if (!isNear) return
    place.addEventListener('dragover', (event) => event.preventDefault(), options)
    place.addEventListener('drop', keepDropped, options)
    for (const touch of TOUCHES) place.addEventListener(touch, () => need([place]), options)
    observer.observe(place)
  }

  function keep(event: MouseEvent, pressed: HTMLElement[]): void {
    const element = (event.target as Element).closest<HTMLElement>(PRESSED)
    // In another tab a link needs nothing of this page.
    if (!element || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    pressed.push(element)
    need([event.currentTarget as HTMLElement])
  }

  /** As if they had been chosen. */
  function keepDropped(event: DragEvent): void {
    event.preventDefault()
    const field = (event.target as Element).closest('.slot')?.querySelector<HTMLInputElement>('[type=file]')
    const { files } = event.dataTransfer ?? {}
    if (field && files?.length) field.files = files
    need([event.currentTarget as HTMLElement])
  }

  /** Fetches what some places wait for. Resolves with whether all of it is there. */
  async function need(wanted: readonly HTMLElement[]): Promise<boolean> {
    const names = new Set<PartName>()
    for (const place of wanted) {
      const waiting = places.get(place)
      if (!waiting) continue
      waiting.isNeeded = true
      names.add(waiting.name)
    }
    const loaded = await Promise.all([...names].map(load))
    return !loaded.includes(false)
  }

  /** Whether any of some places waits for its part. */
  const awaits = (wanted: readonly HTMLElement[]) => wanted.some((place) => places.has(place))

  return { parts, load, attend, need, awaits }
}

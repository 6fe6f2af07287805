import { html, type Insert, type Markup } from '../../lib/html/markup.ts'

interface Menu {
  /** Tells it from others to keys and styles. */
  readonly name: string
  readonly icon: Markup
  readonly label: string
  /** How what it changes stands now, beside the icon; `null` for the icon alone, whose label is its title. Without it the label is shown. */
  readonly shown?: string | null
  /** Of those that have one in common, at most one is open. */
  readonly group?: string
  readonly isOpen?: boolean | undefined
}

/** What a button opens: choices, links and forms. Works without a script, and closes by Escape with one. */
export function menu({ name, icon, label, shown = label, group, isOpen }: Menu, content: Insert): Markup {
  const isSaid = shown === label
  const hidden = !isSaid && html`<span class="sr">${shown === null ? label : `${label}: `}</span>`
  return html`<details class="menu ${name}"${group && html` name="${group}"`}${isOpen && html` open`}><summary class="secondary" title="${label}">${icon}${shown === null ? hidden : html`<span>${hidden}${shown}</span>`}</summary><div class="menu-items">${content}</div></details>`
}

/** One of several in a menu's form: the button that is pressed applies at once. `isChosen` for how it stands now. */
export function choice(name: string, value: string, text: Insert, isChosen = false): Markup {
  return html`<button class="choice" name="${name}" value="${value}"${isChosen && html` aria-current="true"`}>${text}</button>`
}

/** Several of one name, of which `chosen` is how it stands now. */
export function choices(
  name: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string | null = null,
): Markup[] {
  return options.map(([value, text]) => choice(name, value, text, value === chosen))
}

/** Fewer than these are seen at a glance. */
const FEW = 7

/** Above the choices of a menu, where there are many: what is typed leaves those whose words begin so. For scripts alone. */
export function finding(label: string, count: number): Markup | false {
  return (
    count >= FEW &&
    html`<input class="text find" type="search" aria-label="${label}" placeholder="${label}" autocomplete="off" data-find-choice>`
  )
}

/** Choices that belong together, under their name. `id` is one of the page. */
export function group(id: string, label: string, content: Insert): Markup {
  return html`<div role="group" aria-labelledby="menu-${id}"><p class="help" id="menu-${id}">${label}</p>${content}</div>`
}

import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { directionOf } from '../../lib/language/languages.ts'
import { CSRF_FIELD } from '../session/csrf.ts'
import type { Again, Problem, View } from '../visit.ts'

/** The id of a field's control, by its name: `#field-name`. */
export function fieldId(name: string): string {
  return `field-${name.replace(/[^\w-]+/g, '-')}`
}

/** What ties a form to the session it was written for. `form` puts it there by itself. */
export function csrfInput({ csrf }: View): Markup | false {
  return csrf !== '' && html`<input type="hidden" name="${CSRF_FIELD}" value="${csrf}">`
}

/** A form that changes something. `action` is a path of the console; `files` for one that sends files. */
export function form(
  view: View,
  { action, files = false, inline = false }: { action: string; files?: boolean; inline?: boolean },
  content: Insert,
): Markup {
  const encoding = files && html` enctype="multipart/form-data"`
  return html`<form method="post" action="${view.href(action)}"${encoding} class="${inline ? 'inline' : 'stack'}">${csrfInput(view)}${content}</form>`
}

interface Named {
  readonly name: string
  readonly label: string
  readonly help?: Insert
  /** Fields that may be left empty say so; those that may not are no news. `depends`: on another one, as `help` says. */
  readonly required?: boolean | 'depends'
  /** The form as it was sent, where it could not be taken: what was typed is kept, and what is wrong stands beside it. */
  readonly again?: Again | undefined
  /** Label and hint are there for those who hear them: what stands around it tells the eye. */
  readonly hidesLabel?: boolean
  /** Where a page has two forms with a field of that name. */
  readonly id?: string
  /** What is written into it, where that is another language than the page's (BCP 47). */
  readonly language?: string | undefined
}

interface Field extends Named {
  /** What a browser offers while somebody types: all of what the field takes, or the beginning. */
  readonly list?: readonly string[]
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'url'
    | 'number'
    | 'date'
    | 'datetime-local'
    | 'search'
    | 'tel'
    | 'file'
  readonly value?: string | number | null | undefined
  readonly autocomplete?: string
  readonly maxLength?: number
  readonly placeholder?: string
  /** Of a code, say: which keyboard phones show. */
  readonly inputMode?: 'numeric' | 'text'
  /** Of dates and numbers: the earliest, or least. */
  readonly min?: string
  /** Of files: which ones can be chosen. */
  readonly accept?: string
}

/** A field of one line with its label, a hint below, and what is wrong with it. */
export function field(view: View, options: Field): Markup {
  const { name, type = 'text', required, autocomplete, maxLength, placeholder, inputMode, accept, min } = options
  // Passwords are never sent back, and files cannot be.
  const keeps = type !== 'password' && type !== 'file'
  const value = keeps ? (options.again?.form.text(name) ?? options.value ?? '') : ''
  const listId = `${fieldId(name)}-list`
  const offered =
    options.list && options.list.length > 0 && options.list.map((one) => html`<option value="${one}"></option>`)
  const control = html`<input class="text" type="${type}" name="${name}" ${described(options)}${keeps && html` value="${value}"`}${required === true && html` required`}${
    autocomplete && html` autocomplete="${autocomplete}"`
  }${maxLength && html` maxlength="${maxLength}"`}${placeholder && html` placeholder="${placeholder}"`}${inputMode && html` inputmode="${inputMode}"`}${
    accept && html` accept="${accept}"`
  }${min && html` min="${min}"`}${offered && html` list="${listId}"`}>${offered && html`<datalist id="${listId}">${offered}</datalist>`}`
  return labelled(view, options, control)
}

/** A field of several lines. */
export function textArea(
  view: View,
  options: Named & { value?: string | null; rows?: number; maxLength?: number; placeholder?: string },
): Markup {
  const { name, required, rows = 4, maxLength, placeholder } = options
  const value = options.again?.form.text(name) ?? options.value ?? ''
  // A browser takes the first line break away.
  return labelled(
    view,
    options,
    html`<textarea class="text" name="${name}" rows="${rows}" ${described(options)}${required === true && html` required`}${maxLength && html` maxlength="${maxLength}"`}${placeholder && html` placeholder="${placeholder}"`}>
${value}</textarea>`,
  )
}

/** One of a few. `options` are pairs of value and text. */
export function select(
  view: View,
  given: Named & {
    options: readonly (readonly [value: string, text: string])[]
    value?: string | null
    /** Whether the form has other parts with another choice: see `button`'s `isStep`. */
    decides?: boolean
  },
): Markup {
  const chosen = given.again?.form.text(given.name) ?? given.value ?? ''
  const options = given.options.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )
  return labelled(
    view,
    { required: true, ...given },
    html`<div class="select"><select name="${given.name}" ${described(given)}${given.decides && html` data-decides`}>${options}</select></div>`,
  )
}

/** Yes or no: `value` is what is sent when it is ticked. Several with one name are a list: put them into `fieldset`. */
export function checkbox(_view: View, options: Named & { value?: string; checked?: boolean }): Markup {
  const { name, value = 'on', again, label, help } = options
  const id = options.id ?? `${fieldId(name)}${value === 'on' ? '' : `-${value.replace(/[^\w-]+/g, '-')}`}`
  const isChecked = again ? again.form.texts(name).includes(value) : options.checked
  return html`<div class="check"><input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked && html` checked`}${
    help && html` aria-describedby="${id}-help"`
  }><label for="${id}">${label}</label>${help && html`<p class="help" id="${id}-help">${help}</p>`}</div>`
}

/** Fields that belong together under a legend: checkboxes of one name, say, whose problem stands here. */
export function fieldset(
  { legend, help, name, again }: { legend: string; help?: Insert; name?: string; again?: Again | undefined },
  content: Insert,
): Markup {
  const problem = name === undefined ? null : problemWith({ name, again })
  const id = fieldId(name ?? legend)
  return html`<fieldset id="${id}" tabindex="-1"${(problem || help) && html` aria-describedby="${id}-note"`}><legend>${legend}</legend>${
    (problem || help) && html`<p id="${id}-note" class="${problem ? 'error' : 'help'}">${problem?.text ?? help}</p>`
  }${content}</fieldset>`
}

/** A box that has to be ticked for what cannot be taken back, under a legend beside which it is said when it was not. */
export function agreement(
  view: View,
  { legend, name, label, again }: { legend: string; name: string; label: string; again: Again | undefined },
): Markup {
  // The legend's group is what a problem leads to, so the box has an id of its own.
  return fieldset({ legend, name, again }, checkbox(view, { name, id: `${fieldId(name)}-box`, label, again }))
}

/**
 * A button that sends its form, with `skipsChecks` as it is. `name` and `value` tell several apart. What `isStep` says is
 * answered by the same form with other parts, which scripts put in its place.
 */
export function button(
  label: Insert,
  {
    kind = 'primary',
    name,
    value,
    skipsChecks,
    isStep,
  }: {
    kind?: 'primary' | 'secondary' | 'danger' | 'quiet'
    name?: string
    value?: string
    skipsChecks?: boolean
    isStep?: boolean
  } = {},
): Markup {
  return html`<button class="${kind}"${name && html` name="${name}" value="${value ?? ''}"`}${skipsChecks && html` formnovalidate`}${isStep && html` data-step`}>${label}</button>`
}

/** Buttons side by side, at the end of a form. */
export function buttons(...content: Insert[]): Markup {
  return html`<div class="buttons">${content}</div>`
}

/**
 * A step that cannot be undone, without a script: opening it asks, and its own button does it. `question` says what will
 * happen.
 */
export function confirmed(
  view: View,
  {
    label,
    question,
    action,
    fields,
    kind = 'danger',
  }: { label: string; question: Insert; action: string; fields?: Insert; kind?: 'danger' | 'primary' },
): Markup {
  return html`<details class="confirm"><summary class="${kind === 'danger' ? 'quiet danger-text' : 'quiet'}">${label}</summary><div class="ask"><p>${question}</p>${form(
    view,
    { action },
    html`${fields}${button(label, { kind })}`,
  )}</div></details>`
}

function problemWith({ name, again }: Pick<Named, 'name' | 'again'>): Problem | null {
  return again?.problem.field === name ? again.problem : null
}

/** The id of a control, and the ids of what is said about it. */
function described(options: Named): Markup {
  const id = options.id ?? fieldId(options.name)
  const isWrong = problemWith(options) !== null
  const about = [options.help ? `${id}-help` : '', isWrong ? `${id}-error` : ''].filter(Boolean).join(' ')
  const { language } = options
  const spoken = language && html` lang="${language}" dir="${directionOf(language)}"`
  return html`id="${id}"${spoken}${about && html` aria-describedby="${about}"`}${isWrong && html` aria-invalid="true"`}`
}

function labelled(view: View, options: Named, control: Markup): Markup {
  const id = options.id ?? fieldId(options.name)
  const problem = problemWith(options)
  const optional = !options.required && html` <small>(${view.wording.say('optional')})</small>`
  return html`<div class="field${problem && ' wrong'}"><label for="${id}"${options.hidesLabel && html` class="sr"`}>${options.label}${optional}</label>${control}${
    options.help && html`<p class="${options.hidesLabel ? 'sr' : 'help'}" id="${id}-help">${options.help}</p>`
  }${problem && html`<p class="error" id="${id}-error">${problem.text}</p>`}</div>`
}

/** A piece of HTML that is safe to put into a page. Made by `html`, or vouched for by `trustedHtml`. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What can stand in a template: text is escaped, null, undefined and false leave nothing behind. */
export type Insert = Markup | string | number | null | undefined | false | readonly Insert[]

/**
 * A template of HTML that escapes whatever is put into it, in text and in quoted attributes alike:
 * `` html`<p title="${title}">${text}</p>` ``. There is no way to forget it.
 */
export function html(template: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  const parts = withoutIndents(template)
  let text = parts[0] as string
  for (const [index, insert] of inserts.entries()) text += written(insert) + parts[index + 1]
  return new Markup(text)
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>()

/** What a template says between its inserts: lines are indented for its readers alone, and pages would carry that. */
function withoutIndents(template: TemplateStringsArray): readonly string[] {
  let parts = known.get(template)
  if (!parts) {
    parts = template.map((part) => part.replace(/\n\s+/g, '\n'))
    known.set(template, parts)
  }
  return parts
}

/** Vouches for stored HTML that was sanitised on its way in (`lib/html/sanitise.ts`), and for nothing else. */
export function trustedHtml(sanitised: string): Markup {
  return new Markup(sanitised)
}

/** HTML that is made of our own text alone, such as a chapter of the guide: nobody else wrote any of it. */
export function ownHtml(text: string): Markup {
  return new Markup(text)
}

/** A value as JSON in the text of an element, where signs that mean something in HTML stand as JSON writes them otherwise. */
export function jsonText(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replace(/[<&]/g, (sign) => (sign === '<' ? '\\u003c' : '\\u0026')))
}

function written(insert: Insert): string {
  if (insert instanceof Markup) return insert.text
  if (insert === null || insert === undefined || insert === false) return ''
  if (typeof insert === 'object') return insert.map(written).join('')
  return Bun.escapeHTML(String(insert))
}

import { invalid, rule } from '../errors.ts'
import { BodiesUnderWay } from '../http/requests/bodies-under-way.ts'

/** What people send by the console's forms, of all of them together, and how long one may take. */
const bodies = new BodiesUnderWay(128 * 1024 * 1024, 120_000)
/** Those of people who have not signed in take no room from them. */
const strangersBodies = new BodiesUnderWay(4 * 1024 * 1024, 30_000)

/** The largest form, in bytes: of people who are signed in, unless an action says otherwise, and of those who are not. */
export const MAX_FORM = 1024 * 1024
export const MAX_STRANGERS_FORM = 16 * 1024

/** The fields of a form that was sent. Fields that the page does not have are ignored. */
export class FormFields {
  constructor(private readonly data: FormData = new FormData()) {}

  /** A field's text without space around it, with lines as they are stored; '' where the form has no such field. */
  text(name: string): string {
    return this.exact(name).replaceAll('\r\n', '\n').trim()
  }

  /** A field's text exactly as it was typed: of passwords. */
  exact(name: string): string {
    const value = this.data.get(name)
    return typeof value === 'string' ? value : ''
  }

  /** All values of a field exactly as they came. */
  allOf(name: string): unknown[] {
    return this.data.getAll(name)
  }

  /** All that was chosen of several: of checkboxes with one name. */
  texts(name: string): string[] {
    return this.data.getAll(name).filter((value) => typeof value === 'string')
  }

  /** The same fields, but for the text of one. */
  with(name: string, text: string): FormFields {
    const data = new FormData()
    for (const [other, value] of this.data) if (other !== name) data.append(other, value)
    data.append(name, text)
    return new FormFields(data)
  }

  /** Whether there is such a field: a checkbox that is not ticked sends nothing. */
  has(name: string): boolean {
    return this.data.has(name)
  }

  /** A file that was chosen, or null. */
  file(name: string): File | null {
    const value = this.data.get(name)
    return value instanceof File && isChosen(value) ? value : null
  }

  /** All files that were chosen in one field. */
  files(name: string): File[] {
    return this.data.getAll(name).filter((value) => value instanceof File && isChosen(value)) as File[]
  }
}

/** A field in which nothing was chosen sends a file without name and content; Bun gives it no `name` then. */
function isChosen({ size, name }: File): boolean {
  return size > 0 || Boolean(name)
}

/** Reads the bytes of a request of at most `limit`. Throws as `BodiesUnderWay.read`. */
export function readBytes(request: Request, limit: number, isStranger = false): Promise<Uint8Array> {
  return (isStranger ? strangersBodies : bodies).read(request, limit)
}

/**
 * Reads a form, urlencoded or multipart, of at most `limit` bytes. Throws `too_large`, and `invalid_request` for what is
 * no form.
 */
export async function readForm(request: Request, limit: number, isStranger = false): Promise<FormFields> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(type)) {
    throw invalid('body', rule('body_form_type'))
  }
  const bytes = await readBytes(request, limit, isStranger)
  try {
    return new FormFields(
      (await new Response(bytes as BodyInit, { headers: { 'content-type': type } }).formData()) as FormData,
    )
  } catch {
    throw invalid('body', rule('body_form'))
  }
}

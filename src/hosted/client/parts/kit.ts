import type { PartWord } from '../../words/for-script.ts'
import type { SayOf } from '../tools/words.ts'
import type { Tools } from './form-page.ts'
import type { PartName } from './names.ts'
import type { Parts } from './parts.ts'

/* What a part of the page's script begins and ends with. */

/** Whichever script runs first makes it. */
function formPage(): { tools?: Tools; parts: Record<string, unknown> } {
  const page = window as { formPage?: ReturnType<typeof formPage> }
  page.formPage ??= { parts: {} }
  return page.formPage
}

/** The tools of the page's own script, once that runs: it does before all parts that it has fetched. Says the sentences that come with the page for `P`. */
export function toolsFor<P extends PartName>(_part: P): Tools & { say: SayOf<PartWord<P>> } {
  return formPage().tools as never
}

/** Gives a part to the page's own script, which takes it up now or once it runs. */
export function give<P extends PartName>(name: P, part: Parts[P]): void {
  formPage().parts[name] = part
}

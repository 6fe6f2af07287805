import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { invalid, rule } from '../errors.ts'
import type { DraftInput } from './draft-content.ts'
import { contentOf, saveDraft } from './drafts.ts'
import type { Form, FormUpdate } from './model.ts'
import { getForm, withNames } from './operations.ts'
import { closeForm, reopenForm } from './publishing.ts'

/**
 * Replaces what is drafted of a form, as programs send it (decisions §23), and says what the form is with it: it is published
 * by `publishForm`, until its first time it is the form. What is left out is gone; questions that carry their ids stay the
 * same. Throws as `saveDraft`, and `conflict` where a form is to be active whose settings say that collecting is over.
 */
export async function replaceDraft(tx: Tx, caller: Caller, id: string, input: FormUpdate): Promise<Form> {
  const { title, description = null, variables = [], ends = [], active } = input
  const { pages, isFlat } = pagesOf(input)
  const draft = await saveDraft(
    tx,
    caller,
    id,
    { title, description, pages, isFlat, variables, ends },
    { what: 'replaced' },
  )
  if (active === true) await reopenForm(tx, caller, id)
  if (active === false) await closeForm(tx, caller, id)
  return withNames({ ...(await getForm(tx, caller.tenantId, id)), ...contentOf(draft) })
}

/** As a new form has them: `pages`, or one page of `questions`. */
function pagesOf({ pages, questions }: FormUpdate): Pick<DraftInput, 'pages'> & { isFlat: boolean } {
  if (!pages?.length) return { pages: [{ questions: questionsAt('', questions) }], isFlat: true }
  const whole = pages.map((page, index) => ({ ...page, questions: questionsAt(`pages[${index}].`, page.questions) }))
  return { pages: whole as DraftInput['pages'], isFlat: false }
}

/** What is no object has no id to be looked for. */
function questionsAt(place: string, questions: FormUpdate['questions']): DraftInput['pages'][number]['questions'] {
  return (questions ?? []).map((question, index) => {
    if (typeof question === 'object' && question !== null && !Array.isArray(question)) {
      return question as DraftInput['pages'][number]['questions'][number]
    }
    throw invalid(`${place}questions[${index}]`, rule('object'))
  })
}

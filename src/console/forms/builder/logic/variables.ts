import type { Variable } from '../../../../forms/logic/model.ts'
import { entryOf } from '../../../../forms/question-types/table.ts'
import { html } from '../../../../lib/html/markup.ts'
import { field, fieldset } from '../../../components/forms.ts'
import type { FormFields } from '../../../form-fields.ts'
import type { Again, Visit } from '../../../visit.ts'
import { type Built, buildPath, placedQuestions } from '../draft.ts'
import { editor, type Pane } from '../panes.ts'

/** Empty rows below those that there are; with a script there is always one. */
const SPARE = 2
/** More than operations take: they say how many that is. */
const MOST = 40

/** What a form works out of its answers: a name and a formula in each row. A row that is emptied is taken out. */
export function variablesPane(visit: Visit, built: Built, again?: Again): Pane {
  const { say } = visit.wording
  const { variables } = built.draft
  const sent = again ? Array.from({ length: MOST }).filter((_, row) => again.form.has(nameOf(row))).length : 0
  const rows = Array.from({ length: Math.max(variables.length + SPARE, sent) }, (_, row) => {
    const number = row + 1
    const variable = variables[row]
    return html`<div class="variable-row" data-row>${field(visit, {
      name: nameOf(row),
      label: say('logicVariableName', { number }),
      value: variable?.name,
      maxLength: 64,
      autocomplete: 'off',
      required: 'depends',
      again,
    })}${field(visit, {
      name: formulaOf(row),
      label: say('logicVariableFormula', { number }),
      value: variable?.formula,
      autocomplete: 'off',
      required: 'depends',
      again,
    })}</div>`
  })
  const names = [...numbersIn(built), ...variables.map(({ name }) => name)]
  return {
    title: say('logicVariables'),
    body: editor(visit, built, `${buildPath(built.form.id)}/variables`, variables, [
      fieldset(
        {
          legend: say('logicVariablesRows'),
          help: say('logicVariablesHelp', { example: '{SEATS} * 12' }),
          name: 'variables',
          again,
        },
        html`<div class="rows" data-rows>${rows}</div>`,
      ),
      html`<p class="help">${
        names.length === 0
          ? say('logicVariablesNoNames')
          : say('logicVariablesNames', { names: names.map((name) => `{${name}}`).join(', ') })
      } ${say('logicVariablesUse', { example: '{TOTAL}' })}</p>`,
    ]),
  }
}

/** The friendlyIds whose questions give a number. */
function numbersIn({ draft }: Built): string[] {
  return placedQuestions(draft).flatMap(({ question }) => {
    const entry = entryOf(question)
    const gives = entry.number !== undefined && (entry.givesNumber?.(question as never) ?? true)
    return gives && question.friendlyId !== null ? [question.friendlyId] : []
  })
}

const nameOf = (row: number) => `variables[${row}].name`
const formulaOf = (row: number) => `variables[${row}].formula`

interface Filled {
  readonly row: number
  readonly variable: Variable
}

function filled(sent: FormFields): Filled[] {
  return Array.from({ length: MOST }, (_, row) => ({
    row,
    variable: { name: sent.text(nameOf(row)), formula: sent.text(formulaOf(row)) },
  })).filter(({ variable }) => variable.name !== '' || variable.formula !== '')
}

/** The variables that a form says. */
export const sentVariables = (sent: FormFields): Variable[] => filled(sent).map(({ variable }) => variable)

/** The field that shows what is wrong at a place of the variables, such as `[1].formula`. */
export function variableFieldAt(part: string, sent: FormFields): string {
  const [, index, name] = /^\[(\d+)\](?:\.(name|formula))?/.exec(part) ?? []
  const row = filled(sent)[Number(index)]?.row
  return row === undefined ? 'variables' : `variables[${row}].${name ?? 'formula'}`
}

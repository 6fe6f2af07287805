import { html } from '../../../../lib/html/markup.ts'
import { field, fieldset } from '../../../components/forms.ts'
import type { FormFields } from '../../../form-fields.ts'
import type { Again } from '../../../visit.ts'
import type { Control } from './control.ts'

interface Scale {
  readonly text: string
  readonly opposingText: string
}

/** Empty rows below those that there are; with a script there is always one. */
const SPARE = 2
/** As many as operations take. */
const MOST = 100

/** The two ends of each scale, a row for each. A row that is emptied is taken out. */
export const scalesControl: Control = {
  show(visit, question, again) {
    const { say } = visit.wording
    const scales = question.scales as readonly Scale[]
    const count = Math.min(MOST, Math.max(scales.length + SPARE, again ? sentRows(again) : 0))
    const rows = Array.from({ length: count }, (_, index) => {
      const end = (name: keyof Scale) =>
        field(visit, {
          name: `scales[${index}].${name}`,
          label: say(`set_scales_${name}`, { number: index + 1 }),
          required: index === 0,
          value: scales[index]?.[name],
          again,
        })
      return html`<div class="ends" data-row>${end('text')}${end('opposingText')}</div>`
    })
    return fieldset(
      { legend: say('set_scales'), help: say('set_scales_help'), name: 'scales', again },
      html`<div class="rows" data-rows>${rows}</div>`,
    )
  },
  read: (sent) => filled(sent).map(({ scale }) => scale),
  fieldAt(part, sent) {
    const [, index, name] = /^\[(\d+)\]\.(text|opposingText)$/.exec(part) ?? []
    const row = filled(sent)[Number(index)]
    return { field: row && name ? `scales[${row.row}].${name}` : 'scales' }
  },
}

function filled(sent: FormFields): { row: number; scale: Scale }[] {
  return Array.from({ length: MOST }, (_, row) => ({
    row,
    scale: { text: sent.text(`scales[${row}].text`), opposingText: sent.text(`scales[${row}].opposingText`) },
  })).filter(({ scale }) => scale.text !== '' || scale.opposingText !== '')
}

function sentRows({ form }: Again): number {
  return Array.from({ length: MOST }).filter((_, row) => form.has(`scales[${row}].text`)).length
}

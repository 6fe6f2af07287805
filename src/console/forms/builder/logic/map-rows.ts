import type { ShowIf } from '../../../../forms/logic/model.ts'
import type { View } from '../../../visit.ts'
import { type Built, buildPath, lineOf } from '../draft.ts'
import { namesUsed } from './candidates.ts'
import { keyOf } from './draft.ts'
import { endText } from './ends.ts'
import { conditionsSentence } from './sentence.ts'
import { sourcesOf } from './sources.ts'
import type { Warning, Warnings } from './warned.ts'

/* What a map of a form shows, from top to bottom. */

/** One line of the map. */
export interface MapRow {
  /** What conditions name it by: `q12`, `variable:TOTAL`; of others, whatever is its own. */
  readonly key: string
  readonly path: string
  readonly label: string
  readonly text: string
  /** When it is shown; null for always. */
  readonly when: string | null
  readonly warning: Warning | undefined
  /** The keys of what it depends on. */
  readonly from: readonly string[]
}

/** A box of the map, with its own line at the top. */
export interface MapBox {
  readonly kind: 'page' | 'variables' | 'ends'
  readonly head: MapRow
  readonly rows: readonly MapRow[]
}

/** The boxes of a form's map: its pages, what it works out, and how it ends. */
export function mapBoxes(view: View, built: Built, warnings: Warnings): MapBox[] {
  const { form, draft } = built
  const { say } = view.wording
  const sources = sourcesOf(view, built)
  const path = (show: string) => buildPath(form.id, show)
  const names = new Map<string, string>(
    draft.pages.flatMap(({ questions }) =>
      questions.map(({ id, friendlyId }) => [friendlyId ?? '', `q${id}`] as const),
    ),
  )
  for (const { name } of draft.variables) names.set(name, `variable:${name}`)
  const conditions = (showIf: ShowIf | null) => ({
    when: showIf && conditionsSentence(view, sources, showIf),
    from: [...new Set(showIf?.conditions.map((one) => keyOf(one).replace(/^(q\d+):\d+$/, '$1')))],
  })
  let number = 0
  const pages = draft.pages.map((page, index): MapBox => {
    const own = { ...conditions(page.showIf), warning: warnings.pages.get(page.id) }
    const label = say('formPage', { number: index + 1 })
    const key = `page-${page.id}`
    return {
      kind: 'page',
      head: { key, path: path(key), label, text: lineOf(page.title), ...own },
      rows: page.questions.map(({ id, text, showIf }) => {
        number += 1
        return {
          key: `q${id}`,
          path: path(`question-${id}`),
          label: String(number),
          text: lineOf(text) || say('formQuestion', { number }),
          ...conditions(showIf),
          warning: warnings.questions.get(id),
        }
      }),
    }
  })
  const plain = { when: null, warning: undefined, from: [] as string[] }
  const variables: MapBox = {
    kind: 'variables',
    head: { key: 'variables', path: path('variables'), label: say('logicVariables'), text: '', ...plain },
    rows: draft.variables.map(({ name, formula }) => ({
      key: `variable:${name}`,
      path: path('variables'),
      label: name,
      text: `= ${formula}`,
      ...plain,
      from: [...namesUsed(formula, [])].flatMap((used) => names.get(used) ?? []),
    })),
  }
  const ends: MapBox = {
    kind: 'ends',
    head: { key: 'ends', path: buildPath(form.id), label: say('logicEnds'), text: '', ...plain },
    rows: [
      ...draft.ends.map(
        (end, index): MapRow => ({
          key: `end-${index + 1}`,
          path: path(`end-${index + 1}`),
          label: say('logicEndNumber', { number: index + 1 }),
          text: endText(end),
          ...conditions(end.showIf),
          warning: warnings.ends.get(index),
        }),
      ),
      {
        key: 'end-usual',
        path: `/console/forms/${form.id}/settings`,
        label: say('mapEndUsual'),
        text: form.settings.redirect ?? lineOf(form.settings.thanks),
        ...plain,
      },
    ],
  }
  return [...pages, ...(draft.variables.length > 0 ? [variables] : []), ends]
}

import { html, type Markup } from '../../lib/html/markup.ts'
import type { Connection } from '../../users/oauth/connections.ts'
import { badge, time } from '../components/display.ts'
import { confirmed } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { View } from '../visit.ts'

/** Programs that people have let in, to be ended below `path`; with whose they are where that is not said already. */
export function connectionTable(
  view: View,
  connections: readonly Connection[],
  { path, namesPeople = false }: { path: string; namesPeople?: boolean },
): Markup {
  const { say } = view.wording
  return table({
    caption: say('connectionsTitle'),
    hidesCaption: !namesPeople,
    columns: [
      { label: say('connectionClient') },
      ...(namesPeople ? [{ label: say('connectionPerson') }] : []),
      { label: say('keyScopes') },
      { label: say('keyCreated') },
      { label: say('keyLastUsed') },
      { label: say('actions'), kind: 'actions' as const },
    ],
    rows: connections.map((connection) => [
      html`<span dir="auto">${connection.clientName}</span>`,
      ...(namesPeople ? [html`<span dir="auto">${connection.userName}</span>`] : []),
      connection.scopes.map((scope) => html`${badge(scope)} `),
      time(view, connection.createdAt),
      connection.lastUsedAt ? time(view, connection.lastUsedAt) : say('never'),
      confirmed(view, {
        label: say('connectionEnd'),
        question: say('connectionEndQuestion', { name: connection.clientName }),
        action: `${path}/${connection.id}/end`,
      }),
    ]),
    empty: say('noConnections'),
  })
}

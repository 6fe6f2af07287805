import { html, type Markup } from '../../lib/html/markup.ts'
import { parseTime } from '../../lib/time.ts'
import { planReplay, startReplay } from '../../webhooks/replay/replay.ts'
import { card } from '../components/display.ts'
import { button, field, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import { type Again, type Redirect, redirectTo, type Visit } from '../visit.ts'

/** Sends what is in the log of events again, from a time on. */
export function replayForm(visit: Visit, id: string, isUnderWay: boolean, again?: Again): Markup {
  const { say } = visit.wording
  if (isUnderWay) return card(say('replayTitle'), html`<p>${say('replayUnderWay')}</p>`)
  return card(
    say('replayTitle'),
    form(visit, { action: `/console/webhooks/${id}/replay` }, [
      field(visit, {
        name: 'since',
        label: say('replaySince'),
        help: say('replayHelp'),
        type: 'datetime-local',
        required: true,
        again,
      }),
      button(say('replayDo'), { kind: 'secondary' }),
    ]),
  )
}

export async function replayAction(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const id = visit.params.webhookId as string
  const since = parseTime(`${sent.text('since').slice(0, 16)}:00Z`)
  if (since === null) throw refuse(say('replayNoTime'), 'since')
  const planned = await planReplay(visit.db, visit.principal.tenantId, id, { since, until: null })
  await visit.change((tx, caller) => startReplay(tx, caller, id, planned))
  return redirectTo(`/console/webhooks/${id}`, say('replayBegun', { count: planned.eventCount }))
}

import { formRecordOf } from '../../forms/operations.ts'
import type { FormSettings } from '../../forms/settings/model.ts'
import { changeSettings, getSettings } from '../../forms/settings/operations.ts'
import type { SettingsChanges } from '../../forms/settings/read.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { card } from '../components/display.ts'
import { button, checkbox, field, form, textArea } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { Refusal, refusalOf } from '../refusal.ts'
import { hasSeen, seenInput } from '../seen.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { richText } from './builder/panes.ts'
import { formHead } from './form-head.ts'
import { fileChanges, lookChanges, lookFields, lookPreview, stacked } from './look-fields.ts'

/** What is chosen for a form beside its questions (decisions §12). */
export async function settingsPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, params, wording } = visit
  const record = await formRecordOf(db, principal.tenantId, params.id ?? '')
  const settings = await getSettings(db, principal.tenantId, record.id)
  return {
    title: `${wording.say('formSettings')} · ${record.title}`,
    body: html`${formHead(visit, record)}
<div class="look"><div class="measure">${form(visit, { action: `/console/forms/${record.id}/settings`, files: true }, [
      seenInput(settings),
      card(wording.say('settingsLook'), lookFields(visit, record, settings, again)),
      card(wording.say('settingsEnd'), endFields(visit, settings, again)),
      card(wording.say('settingsClosing'), closingFields(visit, settings, again)),
      card(wording.say('settingsAnswers'), answerFields(visit, settings, again)),
      card(wording.say('settingsRespondents'), respondentFields(visit, settings, again)),
      button(wording.say('save')),
    ])}</div>${lookPreview(visit, record)}</div>`,
    scripts: ['look'],
  }
}

function endFields(visit: Visit, { thanks, redirect }: FormSettings, again?: Again): Markup {
  const { say } = visit.wording
  return stacked(
    html`<div>${richText(visit, { name: 'thanks', label: say('settingThanks'), value: thanks, rows: 4, again })}<p class="help">${say('settingThanksHelp')}</p></div>`,
    field(visit, {
      name: 'redirect',
      label: say('settingRedirect'),
      help: say('settingRedirectHelp'),
      placeholder: 'https://example.com/thanks',
      value: redirect,
      again,
    }),
  )
}

function closingFields(visit: Visit, { closes, maxResponses }: FormSettings, again?: Again): Markup {
  const { say } = visit.wording
  return stacked(
    field(visit, {
      name: 'closes',
      label: say('settingCloses'),
      help: say('settingClosesHelp'),
      type: 'datetime-local',
      value: closes && minuteOf(closes),
      again,
    }),
    field(visit, {
      name: 'maxResponses',
      label: say('settingMaxResponses'),
      help: say('settingMaxResponsesHelp'),
      inputMode: 'numeric',
      value: maxResponses,
      again,
    }),
  )
}

function answerFields(visit: Visit, { hidden, notify }: FormSettings, again?: Again): Markup {
  const { say } = visit.wording
  return stacked(
    textArea(visit, {
      name: 'notify',
      label: say('settingNotify'),
      help: say('settingNotifyHelp'),
      value: notify.join('\n'),
      rows: 3,
      again,
    }),
    textArea(visit, {
      name: 'hidden',
      label: say('settingHidden'),
      help: say('settingHiddenHelp'),
      value: hidden.join('\n'),
      rows: 3,
      again,
    }),
  )
}

function respondentFields(visit: Visit, { copy, later }: FormSettings, again?: Again): Markup {
  const { say } = visit.wording
  return stacked(
    checkbox(visit, { name: 'copy', label: say('settingCopy'), help: say('settingCopyHelp'), checked: copy, again }),
    checkbox(visit, {
      name: 'later',
      label: say('settingLater'),
      help: say('settingLaterHelp'),
      checked: later,
      again,
    }),
  )
}

/** Saves what was sent. Whoever had the settings before somebody else changed them is told so, and nothing is lost. */
export async function saveSettings(visit: Visit, sent: FormFields) {
  const { principal, params, wording } = visit
  const changes = await changesIn(sent)
  try {
    const { id, hasEnded } = await visit.change(async (tx, caller) => {
      const { id, status } = await formRecordOf(tx, principal.tenantId, params.id ?? '')
      const before = await getSettings(tx, principal.tenantId, id)
      if (!hasSeen(sent, before)) {
        throw new Refusal({ field: null, text: wording.say('settingsChanged') }, 409)
      }
      // The field has no seconds; those there are stay.
      const keepsClosing = before.closes !== null && sent.text('closes') === minuteOf(before.closes)
      await changeSettings(tx, caller, id, keepsClosing ? { ...changes, closes: before.closes } : changes)
      const after = await formRecordOf(tx, principal.tenantId, id)
      return { id, hasEnded: status === 'active' && after.status !== 'active' }
    })
    return redirectTo(`/console/forms/${id}/settings`, wording.say(hasEnded ? 'settingsSavedEnded' : 'settingsSaved'))
  } catch (error) {
    const refusal = refusalOf(visit, error)
    if (!refusal?.problem.field) throw error
    // Of a list one item is wrong, and the list is one field.
    const field = refusal.problem.field.replace(/\[\d+\]$/, '')
    throw new Refusal({ ...refusal.problem, field }, refusal.status)
  }
}

/** A time as a browser's field has it. */
const minuteOf = (time: string) => time.slice(0, 16)

/** An empty field clears its setting. */
async function changesIn(sent: FormFields): Promise<SettingsChanges> {
  const text = (name: string) => sent.text(name) || null
  const closes = text('closes')
  const most = text('maxResponses')
  return {
    ...lookChanges(text),
    thanks: text('thanks'),
    redirect: text('redirect'),
    // What browsers send has no zone: it is UTC, as the field says.
    closes: closes && (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(closes) ? `${closes}:00Z` : closes),
    maxResponses: most && (/^\d{1,15}$/.test(most) ? Number(most) : most),
    hidden: listIn(text('hidden')),
    notify: listIn(text('notify')),
    copy: sent.has('copy'),
    later: sent.has('later'),
    ...(await fileChanges(sent)),
  }
}

/** One on each line, or with commas between. */
function listIn(text: string | null): string[] | null {
  return text === null ? null : text.split(/[\n,]/).flatMap((item) => item.trim() || [])
}

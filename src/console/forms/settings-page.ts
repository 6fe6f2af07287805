import { type FormRecord, formRecordOf } from '../../forms/operations.ts'
import { MAX_LOGO_SIZE } from '../../forms/settings/logo.ts'
import type { FormSettings } from '../../forms/settings/model.ts'
import { changeSettings, getSettings } from '../../forms/settings/operations.ts'
import type { SettingsChanges } from '../../forms/settings/read.ts'
import { wordLists as formLanguages } from '../../hosted/words/index.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { writeSize } from '../../lib/language/amounts.ts'
import { card } from '../components/display.ts'
import { button, checkbox, field, form, select, textArea } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { Refusal, refusalOf } from '../refusal.ts'
import { hasSeen, seenInput } from '../seen.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { formHead } from './form-head.ts'

/** What is chosen for a form beside its questions (decisions §12). */
export async function settingsPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, params, wording } = visit
  const record = await formRecordOf(db, principal.tenantId, params.id ?? '')
  const settings = await getSettings(db, principal.tenantId, record.id)
  return {
    title: `${wording.say('formSettings')} · ${record.title}`,
    body: html`${formHead(visit, record)}
<div class="measure">${form(visit, { action: `/console/forms/${record.id}/settings`, files: true }, [
      seenInput(settings),
      card(wording.say('settingsLook'), lookFields(visit, record, settings, again)),
      card(wording.say('settingsEnd'), endFields(visit, settings, again)),
      card(wording.say('settingsClosing'), closingFields(visit, settings, again)),
      card(wording.say('settingsAnswers'), answerFields(visit, settings, again)),
      button(wording.say('save')),
    ])}</div>`,
  }
}

function lookFields(visit: Visit, { id }: FormRecord, settings: FormSettings, again?: Again): Markup {
  const { say } = visit.wording
  const { logo } = settings
  return stacked(
    select(visit, {
      name: 'language',
      label: say('settingLanguage'),
      options: [
        ['', say('settingLanguageOwn', { tenant: visit.session.tenantName })],
        ...languages(visit, settings.language),
      ],
      value: settings.language,
      again,
    }),
    select(visit, {
      name: 'mode',
      label: say('settingMode'),
      options: [
        ['page', say('settingModePage')],
        ['step', say('settingModeStep')],
      ],
      value: settings.mode,
      again,
    }),
    select(visit, {
      name: 'scheme',
      label: say('settingScheme'),
      options: [
        ['auto', say('settingSchemeAuto')],
        ['light', say('settingSchemeLight')],
        ['dark', say('settingSchemeDark')],
      ],
      value: settings.scheme,
      again,
    }),
    field(visit, {
      name: 'accent',
      label: say('settingAccent'),
      help: say('settingAccentHelp'),
      placeholder: '#0a7d4f',
      maxLength: 7,
      value: settings.accent,
      again,
    }),
    logo !== null &&
      html`<div class="logo"><img src="${visit.href(`/console/forms/${id}/logo?v=${logo.version}`)}" alt="${say('settingLogoNow')}">${checkbox(visit, { name: 'removeLogo', label: say('settingLogoRemove'), again })}</div>`,
    field(visit, {
      name: 'logo',
      label: say('settingLogo'),
      help: say('settingLogoHelp', { size: writeSize(MAX_LOGO_SIZE, visit.wording.locale) }),
      type: 'file',
      accept: 'image/png,image/jpeg,image/gif,image/webp',
      again,
    }),
  )
}

function endFields(visit: Visit, { thanks, redirect }: FormSettings, again?: Again): Markup {
  const { say } = visit.wording
  return stacked(
    textArea(visit, {
      name: 'thanks',
      label: say('settingThanks'),
      help: say('settingThanksHelp'),
      value: thanks,
      again,
    }),
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

const stacked = (...fields: (Markup | false)[]) => html`<div class="stack">${fields}</div>`

/** Languages that forms have words in, and the one that was chosen at the command line. */
function languages({ wording }: Visit, chosen: string | null): [string, string][] {
  const names = new Intl.DisplayNames(wording.locale, { type: 'language' })
  const tags = new Set([...Object.keys(formLanguages), ...(chosen === null ? [] : [chosen])])
  return [...tags]
    .map((tag): [string, string] => [tag, names.of(tag) ?? tag])
    .sort(([, one], [, other]) => one.localeCompare(other, wording.locale))
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
  const logo = sent.file('logo')
  return {
    language: text('language'),
    mode: text('mode'),
    scheme: text('scheme'),
    accent: text('accent'),
    thanks: text('thanks'),
    redirect: text('redirect'),
    // What browsers send has no zone: it is UTC, as the field says.
    closes: closes && (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(closes) ? `${closes}:00Z` : closes),
    maxResponses: most && (/^\d{1,15}$/.test(most) ? Number(most) : most),
    hidden: listIn(text('hidden')),
    notify: listIn(text('notify')),
    ...(logo ? { logo: new Uint8Array(await logo.arrayBuffer()) } : sent.has('removeLogo') ? { logo: null } : {}),
  }
}

/** One on each line, or with commas between. */
function listIn(text: string | null): string[] | null {
  return text === null ? null : text.split(/[\n,]/).flatMap((item) => item.trim() || [])
}

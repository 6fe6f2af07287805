import { assets } from '../../../src/console/assets.ts'
import * as display from '../../../src/console/components/display.ts'
import * as forms from '../../../src/console/components/forms.ts'
import * as lists from '../../../src/console/components/lists.ts'
import * as menus from '../../../src/console/components/menus.ts'
import { FormFields } from '../../../src/console/form-fields.ts'
import { icons } from '../../../src/console/icons.ts'
import { consolePage } from '../../../src/console/layout.ts'
import { barOf, navigationOf } from '../../../src/console/navigation.ts'
import type { Again, View } from '../../../src/console/visit.ts'
import { consoleWordingOf } from '../../../src/console/words/index.ts'
import { html } from '../../../src/lib/html/markup.ts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const HOSTILE = '"><script>alert(1)</script>'
const MOMENT = '2026-03-01T09:00:00.000Z'

/** Every component of the console on one page, as it is after a form was refused; with `?taken`, before. */
export function componentPage(language: string, url: URL): string {
  const wording = consoleWordingOf(language)
  const view: View & { url: URL } = { wording, csrf: 'token', href: (path) => path, url }
  const sent = new FormData()
  sent.set('sender', 'ada@')
  sent.set('note', '\nTwo\nlines')
  const again: Again = { problem: { field: 'sender', text: 'Must be an email address.' }, form: new FormFields(sent) }
  const options = [
    ['a', 'Apples'],
    ['b', LONG],
  ] as const
  const body = html`
${display.backLink(view, '/', 'Everything')}
${display.pageHead(`Components ${LONG}`, [display.linkButton(view, '/', 'New one'), display.linkButton(view, '/', 'Another', 'secondary')], `What pages are made of. ${HOSTILE}`)}
${lists.tabs(view, 'Views', [
  { path: '/', text: 'Components' },
  { path: '/other', text: LONG },
])}
${lists.filters(view, 'Filters', [
  forms.field(view, { name: 'q', label: 'Text', type: 'search', id: 'filter-q' }),
  forms.select(view, { name: 'kind', label: 'Kind', options, id: 'filter-kind' }),
])}
${lists.table({
  caption: 'Things',
  columns: [
    { label: 'Name' },
    { label: 'State' },
    { label: 'Count', kind: 'number' },
    { label: 'When' },
    { label: 'Actions', kind: 'actions' },
  ],
  rows: [
    [
      LONG,
      display.badge('Open', 'good'),
      wording.write(1234567),
      display.time(view, MOMENT),
      forms.confirmed(view, { label: 'Delete', question: 'It will be gone.', action: '/' }),
    ],
    [HOSTILE, display.badge('Late', 'bad'), '0', display.time(view, MOMENT, 'date'), null],
    [
      'Third',
      [display.badge('Waiting', 'warn'), ' ', display.badge('New', 'accent'), ' ', display.badge('None')],
      '12',
      null,
      null,
    ],
  ],
  empty: 'Nothing',
})}
${lists.pager(view, 'next')}
${lists.table({ caption: 'None', columns: [{ label: 'Name' }], rows: [], empty: 'There are no things yet.' })}
${display.card(
  'A form',
  forms.form(view, { action: '/', files: true }, [
    forms.field(view, {
      name: 'sender',
      label: 'Sender',
      type: 'email',
      help: 'Where it comes from.',
      required: true,
      again,
    }),
    forms.field(view, { name: 'secret', label: 'Password', type: 'password', value: 'never shown' }),
    forms.field(view, { name: 'upload', label: 'File', type: 'file', accept: 'image/png' }),
    forms.textArea(view, { name: 'note', label: 'Note', again }),
    forms.select(view, { name: 'fruit', label: 'Fruit', options, value: 'b', help: 'Either.' }),
    forms.fieldset({ legend: 'Which', help: 'As many as you like.' }, [
      forms.checkbox(view, { name: 'which', value: 'one', label: 'One', checked: true, help: 'The first.' }),
      forms.checkbox(view, { name: 'which', value: 'two', label: LONG }),
    ]),
    forms.agreement(view, { legend: 'Are you sure?', name: 'sure', label: 'Delete it, for good.', again }),
    forms.buttons(
      forms.button('Save'),
      forms.button('Preview', { kind: 'secondary', name: 'then', value: 'preview' }),
      forms.button('Delete', { kind: 'danger' }),
      forms.button('Cancel', { kind: 'quiet' }),
    ),
  ]),
)}
${display.card(
  'Facts',
  display.definitions([
    ['Name', LONG],
    ['Made', display.time(view, MOMENT)],
    ['Left out', null],
    ['Hostile', HOSTILE],
  ]),
)}
<div class="buttons">${menus.menu(
    { name: 'assign', icon: icons.person, label: 'Assignee', shown: LONG, group: 'menus' },
    [
      menus.finding('Find a fruit', options.length + 7),
      forms.form(view, { action: '/' }, menus.choices('fruit', options, 'b')),
      menus.group('others', 'Others', forms.form(view, { action: '/' }, menus.choices('other', options))),
    ],
  )}${menus.menu({ name: 'more', icon: icons.more, label: 'More', shown: null, group: 'menus' }, html`<a href="/">${LONG}</a>`)}</div>
<p>${display.avatar('Ada Lovelace')} Ada Lovelace</p>
${display.copyable(view, { label: 'Your key', value: 'sk_secret', id: 'key' })}
${display.emptyState('There is nothing here yet.', display.linkButton(view, '/', 'Make one'))}
`
  const principal = { type: 'user', tenantId: 't', userId: 'u', name: `Ada ${LONG}`, role: 'admin' } as const
  const times = { createdAt: MOMENT, lastSeenAt: MOMENT }
  const session = {
    id: 's',
    principal,
    email: 'ada@acme.test',
    tenantName: `Acme ${HOSTILE}`,
    language,
    tenantLanguage: null,
    usesShortcuts: true,
    afterDone: 'next' as const,
    isAway: false,
    hasPassword: true,
    needsSecondFactor: false,
    ...times,
  }
  const paths = ['inbox', 'forms', 'contacts', 'articles', 'keys', 'webhooks', 'audit', 'users', 'settings']
  const navigation = navigationOf(
    new Map(paths.map((path) => [`/console/${path}`, 'admin'])),
    'admin',
    '/console/forms/1',
  )
  return consolePage(
    { title: 'Components', body },
    {
      view,
      session,
      navigation,
      bar: barOf(navigation, url),
      flash: { text: 'Saved.', undo: null },
      theme: 'system',
      problem: url.searchParams.has('taken') ? null : again.problem,
    },
  )
}

/** Serves that page, in the language of its `?language=`. Stop it when done. */
export function serveComponents() {
  return Bun.serve({
    port: 0,
    fetch(request) {
      const url = new URL(request.url)
      const asset = assets.get(url.pathname)
      if (asset) return asset(request)
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'",
      }
      return new Response(componentPage(url.searchParams.get('language') ?? 'en', url), { headers })
    },
  })
}

import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import type { CannedReply } from '../../tickets/writing/canned-replies.ts'
import { type Placeholder, placeholders, written } from '../../tickets/writing/placeholders.ts'
import { backLink, linkButton, pageHead } from '../components/display.ts'
import { button, buttons, confirmed, field, form, textArea } from '../components/forms.ts'
import type { Again, PageContent, Visit } from '../visit.ts'
import { LIST } from './paths.ts'

/** Whether it is somebody's own or everybody's, and where those are. */
export interface Kind {
  readonly path: string
  readonly isShared: boolean
}

/** What each placeholder stands for. */
const meanings = {
  'contact.name': 'placeholderContactName',
  'contact.first_name': 'placeholderContactFirstName',
  'contact.email': 'placeholderContactEmail',
  'agent.name': 'placeholderAgentName',
  'ticket.number': 'placeholderTicketNumber',
  'ticket.subject': 'placeholderTicketSubject',
  'inbox.name': 'placeholderInboxName',
} as const satisfies Record<Placeholder, string>

/** A canned reply that is not there yet. */
export function newPage(visit: Visit, { path, isShared }: Kind, again?: Again): PageContent {
  const { say } = visit.wording
  const title = say(isShared ? 'cannedNewShared' : 'cannedNew')
  return {
    title,
    width: 'narrow',
    body: html`${backLink(visit, LIST, say('cannedTitle'))}
${pageHead(title)}
${form(visit, { action: path }, [
  ...fields(visit, null, again),
  buttons(button(say('cannedAdd')), linkButton(visit, LIST, say('cancel'), 'secondary')),
])}`,
  }
}

/** One to change. */
export function editPage(visit: Visit, { path }: Kind, reply: CannedReply, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: reply.name,
    width: 'narrow',
    body: html`${backLink(visit, LIST, say('cannedTitle'))}
${pageHead(reply.name)}
${form(visit, { action: `${path}/${reply.id}` }, [
  html`<input type="hidden" name="version" value="${reply.updatedAt}">`,
  ...fields(visit, reply, again),
  buttons(button(say('save')), linkButton(visit, LIST, say('cancel'), 'secondary')),
])}
${confirmed(visit, {
  label: say('cannedDelete'),
  question: say('cannedDeleteQuestion'),
  action: `${path}/${reply.id}/delete`,
})}`,
  }
}

function fields(visit: Visit, reply: CannedReply | null, again?: Again): Insert[] {
  const { say } = visit.wording
  return [
    field(visit, {
      name: 'name',
      label: say('cannedName'),
      help: say('cannedNameHelp'),
      value: reply?.name ?? null,
      required: true,
      maxLength: 255,
      again,
    }),
    textArea(visit, {
      name: 'text',
      label: say('cannedText'),
      rows: 10,
      value: reply?.text ?? '',
      required: true,
      again,
    }),
    known(visit),
  ]
}

function known({ wording: { say } }: Visit): Markup {
  const rows = placeholders.map(
    (name) => html`<div><dt><code>${written(name)}</code></dt><dd>${say(meanings[name])}</dd></div>`,
  )
  return html`<details class="placeholders"><summary>${say('placeholders')}</summary><dl>${rows}</dl></details>`
}

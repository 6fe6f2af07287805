import { priorities } from '../../../kinds/tickets.ts'
import { type DueFilter, dueAsked, dueFilters } from '../../../tickets/inbox/due.ts'
import type { InboxFilters } from '../../../tickets/inbox/list.ts'
import type { Visit } from '../../visit.ts'
import { channelWords, statusWords } from '../labels.ts'

export type Status = keyof typeof statusWords
type Channel = keyof typeof channelWords
const knownChannels = Object.keys(channelWords) as Channel[]
export const statuses = Object.keys(statusWords) as Status[]

/** Tickets that are changed at once: more than a page of the list has. */
export const MOST = 100

/** The longest text that is looked for, in characters. */
export const MAX_TEXT = 320

/** What the address of the list asks for. Whatever it does not name rightly does not apply. */
export interface Asked {
  /** `all`: any, which is what a search without a status means. */
  readonly status: Status | 'all'
  readonly inbox: string
  /** '' or a channel: all inboxes of that kind. */
  readonly channel: Channel | ''
  /** '', `me`, `nobody`, or a user's id. */
  readonly assignee: string
  readonly priority: string
  /** '' or a team's id. */
  readonly team: string
  /** '' or a tag's id. */
  readonly tag: string
  /** '' or `unsent`: with an answer that has not arrived. */
  readonly answers: '' | 'unsent'
  /** '' or which due times the tickets have; the soonest comes first then. */
  readonly due: DueFilter | ''
  readonly text: string
}

/** The list of everything that is open. */
export const NOTHING_ASKED: Asked = {
  status: 'open',
  inbox: '',
  channel: '',
  assignee: '',
  priority: '',
  team: '',
  tag: '',
  answers: '',
  due: '',
  text: '',
}

/** Reads what is asked for from the query of the address. */
export function askedBy(query: URLSearchParams): Asked {
  const text = (query.get('q') ?? '').trim().slice(0, MAX_TEXT)
  const answers = query.get('answers') === 'unsent' ? 'unsent' : ''
  const status = query.get('status')
  return {
    status: status === 'all' ? 'all' : (statuses.find((known) => known === status) ?? meantStatus({ text, answers })),
    inbox: query.get('inbox') ?? '',
    channel: knownChannels.find((known) => known === query.get('channel')) ?? '',
    assignee: query.get('assignee') ?? '',
    priority: query.get('priority') ?? '',
    team: query.get('team') ?? '',
    tag: query.get('tag') ?? '',
    answers,
    due: text === '' ? (dueFilters.find((known) => known === query.get('due')) ?? '') : '',
    text,
  }
}

/** The status that a list shows which names none: what was searched for, or went wrong, may be in any ticket. */
export function meantStatus({ text, answers }: Pick<Asked, 'text' | 'answers'>): Asked['status'] {
  return text === '' && answers === '' ? 'open' : 'all'
}

/** The query of the address that asks for this; what it would mean anyway is left out. */
export function queryOf(asked: Asked): URLSearchParams {
  const { status, inbox, channel, assignee, priority, team, tag, answers, due, text } = asked
  const isMeant = status === meantStatus(asked)
  const given = { q: text, status: isMeant ? '' : status, assignee, inbox, channel, priority, team, tag, answers, due }
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
}

/** The path of the list that asks for this. */
export function listPath(query: URLSearchParams): string {
  return `/console/inbox${query.size > 0 ? `?${query}` : ''}`
}

/** What operations understand of it. */
export function filtersOf(
  { status, inbox, channel, assignee, priority, team, tag, answers, due }: Asked,
  { principal, at }: Pick<Visit, 'principal' | 'at'>,
): InboxFilters {
  const somebody = assignee === 'me' ? principal.userId : assignee
  return {
    status: status === 'all' ? undefined : status,
    inboxId: inbox || undefined,
    channel: channel || undefined,
    assigneeId: somebody === '' ? undefined : somebody === 'nobody' ? null : somebody,
    priority: priorities.find((known) => known === priority),
    teamId: team || undefined,
    tagId: tag || undefined,
    hasUnsent: answers === 'unsent' || undefined,
    due: due === '' ? undefined : dueAsked(due, at),
  }
}

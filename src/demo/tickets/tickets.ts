import type { Author } from '../../caller.ts'
import type { Files } from '../../files/files.ts'
import { formatTime } from '../../lib/time.ts'
import { assignTicket } from '../../tickets/assignment.ts'
import { receiveMessage } from '../../tickets/incoming/receiving.ts'
import { addSentReply } from '../../tickets/replies/sent-replies.ts'
import { setStatus } from '../../tickets/status.ts'
import { setTags } from '../../tickets/tagging.ts'
import { addNote } from '../../tickets/thread/notes.ts'
import type { Company } from '../company.ts'
import { junk, type Topic, topics } from '../conversations/index.ts'
import type { DemoContact } from '../people.ts'
import { Random } from '../random.ts'
import { DAY, HOUR, MINUTE, momentBetween, type Step } from '../timeline.ts'
import { bringAlong } from './attachments.ts'
import { newTicket } from './new-ticket.ts'
import { ratingSteps } from './ratings.ts'

/** How far a conversation has come. */
type Stage = 'unread' | 'noted' | 'waiting' | 'back' | 'snoozed' | 'done'

const PRIORITIES = [
  ['normal', 12],
  ['high', 4],
  ['low', 3],
  ['urgent', 1],
] as const

/** What customers wrote, and how the agents dealt with it. */
export function ticketSteps(company: Company, people: readonly DemoContact[], files: Files, now: number): Step[] {
  const random = new Random('tickets')
  const times = new Random('times of tickets')
  const ratings = new Random('ratings')
  const openings = random.shuffle(topics.flatMap((topic) => topic.openings.map((opening) => ({ topic, opening }))))
  return [
    ...openings.flatMap(({ topic, opening }, index) => {
      // The first ones are the oldest: those are done, and what came in last is still unread.
      const progress = index / openings.length
      const stage = stageOf(progress, random)
      const at = momentOf(progress, times, now)
      return conversation({
        company,
        files,
        topic,
        opening,
        stage,
        at,
        now,
        random,
        ratings,
        person: writer(people, random, at),
      })
    }),
    ...junk.flatMap((mail) => junkSteps(company, mail, random, now)),
  ]
}

function stageOf(progress: number, random: Random): Stage {
  if (progress < 0.55) return 'done'
  if (progress < 0.7) return random.pick(['done', 'done', 'waiting', 'snoozed'])
  if (progress < 0.9) return random.pick(['done', 'done', 'done', 'waiting', 'waiting', 'back', 'back', 'noted'])
  return 'unread'
}

/** More and more came in over the months. */
function momentOf(progress: number, random: Random, now: number): number {
  const daysAgo = 85 * (1 - progress) ** 2
  return momentBetween(random, now - daysAgo * DAY - DAY, Math.min(now - 40 * MINUTE, now - daysAgo * DAY))
}

/** One in four has never been heard of before. */
function writer(people: readonly DemoContact[], random: Random, at: number): DemoContact {
  const knows = random.chance(0.75)
  return random.pick(
    people.filter(({ arrives, knownSince }) =>
      knows ? knownSince !== null && knownSince < at : arrives === 'message',
    ),
  )
}

interface Conversation {
  company: Company
  files: Files
  topic: Topic
  opening: Topic['openings'][number]
  stage: Stage
  at: number
  now: number
  random: Random
  ratings: Random
  person: DemoContact
}

function conversation({
  company,
  files,
  topic,
  opening,
  stage,
  at,
  now,
  random,
  ratings,
  person,
}: Conversation): Step[] {
  const isChat = topic.inbox === 'chat'
  const agent = random.pick(company.agents)
  const priority = random.weighted(PRIORITIES)
  const { id, open } = newTicket()
  const name = `${person.first} ${person.last}`
  const told = (text: string) => text.replace('{name}', person.first)
  // Chats take minutes, mails hours; nothing happens after now.
  const times = pauses(at, isChat, random, now)
  const [subject, text, ...attached] = opening
  const by = (author: Author, moment: number, run: Step['run']): Step => ({ at: moment, by: author, run })

  // Whoever reads it first files it, and takes it.
  const taken = by(agent, times[0] - 2 * MINUTE, async (tx, caller) => {
    await setTags(tx, caller, id(), topic.tags)
    const teamId = company.teams[topic.inbox === 'billing' ? 'billing' : 'support']
    await assignTicket(tx, caller, id(), { userId: agent.id, teamId })
  })
  const note = by(agent, times[0] - MINUTE, (tx, caller) => addNote(tx, caller, id(), { text: topic.note ?? 'On it.' }))
  const reply = by(agent, times[0], (tx, caller) => addSentReply(tx, caller, id(), { html: told(topic.reply) }))
  const pending = by(agent, times[0] + 1, (tx, caller) => setStatus(tx, caller, id(), { status: 'pending' }))
  const snoozedUntil = formatTime(now + random.integer(20, 90) * HOUR)
  const snooze = by(agent, times[0] + 1, (tx, caller) =>
    setStatus(tx, caller, id(), { status: 'pending', snoozedUntil }),
  )
  const followUp: Step = {
    at: times[1],
    run: (tx, caller) => receiveMessage(tx, caller, id(), { text: topic.followUp }),
  }
  const closing = by(agent, times[2], (tx, caller) => addSentReply(tx, caller, id(), { html: told(topic.closing) }))
  const close = by(agent, times[2] + 1, (tx, caller) => setStatus(tx, caller, id(), { status: 'closed' }))

  const notes = topic.note ? [note] : []
  const rest: Record<Stage, Step[]> = {
    unread: [],
    noted: [note],
    waiting: [...notes, reply, pending],
    snoozed: [...notes, reply, snooze],
    back: [reply, pending, followUp],
    done: [
      ...notes,
      ...[reply, pending, followUp, closing, close],
      ...ratingSteps(company, id, times[2] + 1, ratings, now),
    ],
  }
  const ticket = { inboxId: company.inboxes[topic.inbox], email: person.email, name, subject, text, priority }
  const opened: Step['run'] = async (tx, caller) =>
    open({ ...ticket, attachments: await bringAlong(files, caller, attached) })(tx, caller)
  return [{ at, run: opened }, ...(stage === 'unread' ? [] : [taken]), ...rest[stage]]
}

/** Three moments after `at`, none of them after now. */
function pauses(at: number, isChat: boolean, random: Random, now: number): [number, number, number] {
  const unit = isChat ? MINUTE : HOUR
  const gaps = [random.integer(2, 9), random.integer(2, 20), random.integer(2, 6)].map((gap) => gap * unit)
  const whole = gaps.reduce((sum, gap) => sum + gap, 0)
  const squeeze = Math.min(1, (now - 5 * MINUTE - at) / whole)
  let moment = at + MINUTE
  return gaps.map((gap) => {
    moment += Math.floor((gap - random.integer(0, MINUTE)) * squeeze)
    return moment
  }) as [number, number, number]
}

function junkSteps(
  company: Company,
  [name, subject, text]: (typeof junk)[number],
  random: Random,
  now: number,
): Step[] {
  const at = now - random.integer(1, 80) * DAY - random.integer(0, 86_399_999)
  const { id, open } = newTicket()
  const email = `${name.toLowerCase().replaceAll(' ', '-')}@offers.test`
  const agent = random.pick(company.agents)
  return [
    { at, run: open({ inboxId: company.inboxes.help, email, name, subject, text }) },
    {
      at: at + random.integer(10, 300) * MINUTE,
      by: agent,
      run: (tx, caller) => setStatus(tx, caller, id(), { status: 'spam' }),
    },
  ]
}

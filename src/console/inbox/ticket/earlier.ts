import { html, type Markup } from '../../../lib/html/markup.ts'
import type { RatedResponse, Rating } from '../../../responses/rated.ts'
import { badge, card, time } from '../../components/display.ts'
import type { Visit } from '../../visit.ts'
import { statusBadge } from '../labels.ts'
import type { TicketRead } from './ticket.ts'

/** The newest of what else a customer asked, and of what they answered in forms. */
export function earlier(visit: Visit, read: TicketRead): readonly (Markup | false)[] {
  return [otherTickets(visit, read), responses(visit, read.customer?.responses ?? [])]
}

function otherTickets(visit: Visit, { others }: TicketRead): Markup | false {
  if (others.length === 0) return false
  const items = others.map(
    (other) =>
      html`<li><a href="${visit.href(`/console/tickets/${other.id}`)}" dir="auto">${other.subject}</a><span class="facts">${statusBadge(visit, other)}<span class="ref">${other.reference}</span>${time(visit, other.updatedAt, 'date')}</span></li>`,
  )
  return card(visit.wording.say('otherTickets'), html`<ul class="others">${items}</ul>`)
}

function responses(visit: Visit, found: readonly RatedResponse[]): Markup | false {
  if (found.length === 0) return false
  const { say } = visit.wording
  const items = found.map(
    ({ id, formTitle, status, startedAt, rating }) =>
      html`<li><a href="${visit.href(`/console/responses/${id}`)}" dir="auto">${formTitle}</a><span class="facts">${rating && ratingBadge(visit, rating)}${status === 'partial' && badge(say('responsePartial'))}${time(visit, startedAt, 'date')}</span></li>`,
  )
  return card(say('earlierResponses'), html`<ul class="others">${items}</ul>`)
}

/** A rating in a word or two. The colour repeats it: those who would not recommend us stand out. */
function ratingBadge({ wording: { say, write } }: Visit, rating: Rating): Markup {
  if (rating.kind === 'nps') {
    const tone = rating.points >= 9 ? 'good' : rating.points >= 7 ? 'neutral' : 'bad'
    return badge(say('ratingNps', { points: write(rating.points) }), tone)
  }
  if (rating.kind === 'stars') {
    const { points, most } = rating
    return badge(say('ratingStars', { points: write(points), most: write(most) }), toneOf(points / most))
  }
  return badge(say('ratingScore', { percentage: write(rating.percentage) }), toneOf(rating.percentage / 100))
}

const toneOf = (part: number) => (part >= 0.8 ? 'good' : part > 0.5 ? 'neutral' : 'bad')

import { html, type Markup } from '../../../lib/html/markup.ts'
import type { ResponseOfTicket } from '../../../responses/lists/of-ticket.ts'
import { avatar, badge, card, definitions, time } from '../../components/display.ts'
import type { Visit } from '../../visit.ts'
import { ago } from '../labels.ts'
import type { TicketRead } from './ticket.ts'

/** How content the customer was, beside the thread, or that they were asked. */
export function satisfactionCard(visit: Visit, { responses, request }: TicketRead): Markup | false {
  const { say } = visit.wording
  const rating = responses.find(({ satisfaction }) => satisfaction !== null)
  if (rating) {
    const link = html`<a href="${visit.href(`/console/responses/${rating.id}`)}" dir="auto">${rating.formTitle}</a>`
    return card(
      say('ticketSatisfaction'),
      html`<p class="satisfaction">${satisfactionBadge(visit, rating)} ${time(visit, rating.at, 'date')}</p><p>${link}</p>`,
    )
  }
  if (request === null) return false
  return card(
    say('ticketSatisfaction'),
    html`<p class="help">${say('askedNoAnswer')} ${ago(visit, request.askedAt)}</p>`,
  )
}

/** The share in percent. The colour repeats it: those who were not content stand out. */
export function satisfactionBadge(
  { wording: { say, write } }: Pick<Visit, 'wording'>,
  rating: ResponseOfTicket,
): Markup {
  const percentage = rating.satisfaction ?? 0
  return badge(
    say('satisfactionOf', { percentage: write(percentage) }),
    percentage >= 80 ? 'good' : percentage > 50 ? 'neutral' : 'bad',
  )
}

/** An answer to a form that the customer was sent, as it stands in the thread. */
export function responseInThread(visit: Visit, read: TicketRead, response: ResponseOfTicket): Markup {
  const { say } = visit.wording
  const name = read.requesterName || read.requesterEmail || say('unknownRequester')
  const heading = `r-${response.id}`
  return html`<article class="message internal answered" aria-labelledby="${heading}">
${avatar(name)}
<header><h2 id="${heading}">${name}</h2><span class="facts">${response.satisfaction !== null && satisfactionBadge(visit, response)}${response.status === 'partial' && badge(say('responsePartial'))}${ago(visit, response.at)}</span></header>
<div class="said"><p>${say('answeredForm')} <a href="${visit.href(`/console/responses/${response.id}`)}" dir="auto">${response.formTitle}</a></p>${definitions(response.answers.map(({ question, answer }) => [question, answer] as const))}</div>
</article>`
}

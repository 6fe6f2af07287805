import { notFound } from '../../../errors.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import { getAgentsAttachment } from '../../../tickets/attachments/operations.ts'
import { backLink, pageHead } from '../../components/display.ts'
import { icons } from '../../icons.ts'
import type { PageContent, Visit } from '../../visit.ts'
import { filePath, isPicture } from './files.ts'

/** A picture that came with a message, as large as the window, for those without scripts. Throws `not_found` for other files. */
export async function picturePage(visit: Visit): Promise<PageContent> {
  const { db, principal, params, wording } = visit
  const file = await getAgentsAttachment(db, principal, params.attachmentId as string)
  if (file.ticketId === null || !isPicture(file)) throw notFound('attachment')
  const path = visit.href(filePath(file.id))
  return {
    title: file.fileName,
    body: html`${backLink(visit, `/console/tickets/${file.ticketId}`, wording.say('backToTicket'))}
${pageHead(file.fileName)}
<figure class="picture-large"><img src="${path}" alt="${file.fileName}"><figcaption><a href="${path}" download><bdi>${file.fileName}</bdi></a> <small>${writeSize(file.size, wording.locale)}</small></figcaption></figure>`,
  }
}

/** Where a script shows a picture of the thread above it. */
export function pictureViewer({ wording: { say } }: Visit): Markup {
  return html`<dialog class="viewer" aria-label="${say('pictureViewer')}" data-viewer><figure class="picture-large"><img alt=""><figcaption><a href="" download><bdi></bdi></a></figcaption></figure>
<div class="buttons"><button type="button" class="secondary" data-step="-1" title="${say('previousPicture')}">${icons.back}<span class="sr">${say('previousPicture')}</span></button><button type="button" class="secondary" data-step="1" title="${say('nextPicture')}">${icons.forward}<span class="sr">${say('nextPicture')}</span></button><form method="dialog"><button class="secondary" autofocus>${say('closePicture')}</button></form></div></dialog>`
}

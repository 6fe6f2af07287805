import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import type { AgentsMessage } from '../../../tickets/thread/agents-thread.ts'
import { icons } from '../../icons.ts'
import type { View } from '../../visit.ts'
import { imagesIn } from './stored-html.ts'

type File = AgentsMessage['attachments'][number]

/** Bytes above which an image in the text is one that somebody may want to save. */
const MAX_LOGO = 64 * 1024
/** Bytes up to which a picture is shown small as it is: nobody makes smaller ones. */
const MAX_SHOWN = 8 * 1024 * 1024
/** What every browser draws, and runs nothing: the type is that of the content, whatever its sender called it. */
const PICTURES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The files of a message, but for small images that stand in its text: signatures would make a list of them. */
export function filesOf(view: View, { attachments, html: said }: AgentsMessage): Markup | false {
  const shown = imagesIn(said)
  const isLogo = ({ id, contentType, size }: File) =>
    shown.has(id) && contentType.startsWith('image/') && size <= MAX_LOGO
  const listed = attachments.filter((file) => !isLogo(file))
  if (listed.length === 0) return false
  const items = listed.map((file) => (isPicture(file) ? pictureItem(view, file) : fileItem(view, file)))
  return html`<ul class="files" aria-label="${view.wording.say('messageFiles')}">${items}</ul>`
}

/** Whether a file can be looked at without saving it. */
export function isPicture({ contentType, size }: Pick<File, 'contentType' | 'size'>): boolean {
  return PICTURES.includes(contentType) && size <= MAX_SHOWN
}

export const filePath = (id: string) => `/console/attachments/${id}`

/** Where a picture is shown large; a script shows it above the thread. */
function pictureItem(view: View, { id, fileName, size }: File): Markup {
  const path = view.href(filePath(id))
  return html`<li class="picture"><a href="${view.href(`/console/pictures/${id}`)}" data-picture="${path}"><img src="${path}" alt="" width="128" height="96" loading="lazy" decoding="async"><bdi>${fileName}</bdi><small>${writeSize(size, view.wording.locale)}</small></a></li>`
}

function fileItem(view: View, { id, fileName, contentType, size }: File): Markup {
  return html`<li>${iconOf(contentType)}<bdi><a href="${view.href(filePath(id))}" download>${fileName}</a></bdi> <small>${writeSize(size, view.wording.locale)}</small></li>`
}

function iconOf(contentType: string): Markup {
  if (contentType.startsWith('image/')) return icons.picture
  if (/^(audio|video)\//.test(contentType)) return icons.media
  if (/zip|compressed|x-(tar|7z|rar|bzip2)/.test(contentType)) return icons.archive
  return contentType === 'text/calendar' ? icons.calendar : icons.file
}

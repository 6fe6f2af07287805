import { startAnswer } from './ticket/answer.ts'
import { startCanned } from './ticket/canned.ts'
import { listenForNews } from './ticket/news.ts'
import { noteRead } from './ticket/read.ts'
import { watchPending } from './ticket/thread.ts'

/*
 * The page of a ticket where scripts run: it tells when somebody has written, keeps what is being answered, and snoozes by
 * the reader's own clock. It works without.
 */

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone) {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-zone]')) field.value = zone
  for (const place of document.querySelectorAll<HTMLElement>('[data-zone-text]'))
    place.textContent = (place.dataset.zoneText ?? '').replace('%', zone)
}

startAnswer()
startCanned()
listenForNews()
noteRead()
watchPending()

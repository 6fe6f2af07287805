import { watchPresses } from './presses.ts'
import { startAnswer } from './ticket/answer.ts'
import { startCanned } from './ticket/canned.ts'
import { listenForNews } from './ticket/news.ts'
import { noteRead } from './ticket/read.ts'
import { watchPending } from './ticket/thread.ts'
import { showZone } from './zone.ts'

/*
 * The page of a ticket where scripts run: it tells when somebody has written, keeps what is being answered, and snoozes by
 * the reader's own clock. It works without.
 */

watchPresses()
showZone(document)
startAnswer()
startCanned()
listenForNews()
noteRead()
watchPending()

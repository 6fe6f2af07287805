import { expireAlerts, nextAlertExpiry } from '../alerts/expiry.ts'
import { nextUnusedImageExpiry, removeUnusedImages } from '../articles/images.ts'
import { expireImports, nextImportExpiry } from '../contacts/imports/retention.ts'
import type { Reader, Tx } from '../db/index.ts'
import { expireEvents, nextEventExpiry } from '../events/expiry.ts'
import { expireIdempotencyKeys, nextIdempotencyKeyExpiry } from '../http/idempotency/stored-answers-expiry.ts'
import { expireChatMails, nextChatMailExpiry } from '../livechat/send-mail.ts'
import { expireNotifications, nextNotificationExpiry } from '../responses/notifications/sending.ts'
import { nextUnusedUploadExpiry, removeUnusedUploads } from '../uploads/unused.ts'
import { expireAccountMails, nextAccountMailExpiry } from '../users/links/account-mails.ts'
import { expireLinks, nextLinkExpiry } from '../users/links/links.ts'
import { expireConnections, nextConnectionExpiry } from '../users/oauth/connections.ts'
import { expireSessions, nextSessionExpiry } from '../users/sessions/sessions.ts'
import { nextSilentVisitorExpiry, removeSilentVisitors } from '../visitors/silent.ts'
import { infrequent } from '../work/pace.ts'
import type { Job } from '../work/scheduler.ts'
import { retentionJob } from './retention-rules.ts'
import type { JobDeps } from './workers.ts'

/** When the oldest of its kind has to go, in milliseconds since 1970; null where there is none. */
type NextExpiry = (db: Reader) => Promise<number | null>

/**
 * What is kept for a while and then let go of, for as long as tenants say and for as long as is right for all of them. Nobody
 * waits for it.
 */
export function retentionJobs(deps: JobDeps): Job[] {
  const { whenOld, inTransaction } = retention(deps)
  return [
    retentionJob(deps),
    inTransaction('forget answers to idempotent requests', nextIdempotencyKeyExpiry, expireIdempotencyKeys),
    inTransaction('forget sessions that have ended', nextSessionExpiry, expireSessions),
    inTransaction('forget what programs were allowed', nextConnectionExpiry, expireConnections),
    inTransaction('forget links to choose a password', nextLinkExpiry, expireLinks),
    inTransaction('forget mails about accounts', nextAccountMailExpiry, expireAccountMails),
    inTransaction('forget mails about responses that could not be sent', nextNotificationExpiry, expireNotifications),
    whenOld('remove uploads that no response uses', nextUnusedUploadExpiry, () => removeUnusedUploads(deps)),
    inTransaction('forget mails with answers of chats', nextChatMailExpiry, expireChatMails),
    inTransaction('forget old alerts', nextAlertExpiry, expireAlerts),
    inTransaction('remove visitors who never wrote', nextSilentVisitorExpiry, removeSilentVisitors),
    whenOld('forget pictures that no article uses', nextUnusedImageExpiry, () => removeUnusedImages(deps)),
    whenOld('forget files of contacts', nextImportExpiry, () => expireImports(deps)),
  ]
}

/** Events go last: whatever else closes may still write some. */
export function eventRetention(deps: JobDeps): Job {
  return retention(deps).inTransaction('forget old events', nextEventExpiry, expireEvents)
}

/** Makes jobs that let go of what is old; each says whether more may be left. */
function retention({ clock, database }: JobDeps) {
  const whenOld = (name: string, nextExpiry: NextExpiry, run: Job['run']) =>
    infrequent(clock, { name, nextDue: () => nextExpiry(database.db), run })
  const inTransaction = (name: string, nextExpiry: NextExpiry, expire: (tx: Tx, now: number) => Promise<boolean>) =>
    whenOld(name, nextExpiry, (now) => database.transaction((tx) => expire(tx, now)))
  return { whenOld, inTransaction }
}

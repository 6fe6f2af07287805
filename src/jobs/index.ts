import { Vectors } from '../assistant/vectors.ts'
import { hasUnlinkedEntries, linkEntries } from '../audit/chain.ts'
import { chainKeyOf } from '../audit/key.ts'
import { letterboxOf } from '../channels/email/mailboxes/letterbox.ts'
import { MailboxWatch } from '../channels/email/mailboxes/watch.ts'
import { expireRawMails, findKnownRawMails, nextRawMailExpiry } from '../channels/email/retention.ts'
import { expireSessions, nextSessionExpiry } from '../console/session.ts'
import { expireImports, findKnownImports, nextImportExpiry } from '../contacts/imports/retention.ts'
import { Imports } from '../contacts/imports/running.ts'
import type { Deps } from '../deps.ts'
import { ORPHANS_EVERY, removeOrphans } from '../files/orphans.ts'
import { closeDueForms, nextClosing } from '../forms/closing.ts'
import { ChatMailSender, expireChatMails, nextChatMailExpiry } from '../livechat/send-mail.ts'
import { expireNotifications, Notifications, nextNotificationExpiry } from '../notifications/sending.ts'
import { ADD_SEGMENTS_EVERY, addSegments } from '../responses/results/columns.ts'
import { nextPartialExpiry, removeUntouchedPartials } from '../responses/untouched.ts'
import { isTenant } from '../tenants/operations.ts'
import { findKnownAttachments } from '../tickets/attachments.ts'
import { failInterruptedReplies, LOOK_EVERY } from '../tickets/interrupted-replies.ts'
import { ReplySending } from '../tickets/reply-sending.ts'
import { nextSnoozeEnd, wakeSnoozedTickets } from '../tickets/status.ts'
import { findKnownUploads } from '../uploads/operations.ts'
import { nextUnusedUploadExpiry, removeUnusedUploads } from '../uploads/unused.ts'
import { expireAccountMails, nextAccountMailExpiry } from '../users/account-mails.ts'
import { expireLinks, nextLinkExpiry } from '../users/links.ts'
import { saltRecoveryCodes } from '../users/recovery-codes.ts'
import { nextSilentVisitorExpiry, removeSilentVisitors } from '../visitors/silent.ts'
import { nextBatchDue } from '../webhooks/batches.ts'
import { Deliveries } from '../webhooks/delivery.ts'
import { fanOutStep, hasNewEvents } from '../webhooks/fan-out.ts'
import { databaseWatch, WATCH_EVERY } from './database-watch.ts'
import {
  expireDeliveries,
  expireEvents,
  expireIdempotencyKeys,
  nextDeliveryExpiry,
  nextEventExpiry,
  nextIdempotencyKeyExpiry,
} from './expiry.ts'
import { byOneNode, infrequent, periodically, periodicallyByOneNode, throttled } from './pace.ts'
import { type Job, Scheduler } from './scheduler.ts'

/** Once at each start, and now and then where that is long ago, in milliseconds. */
const CARRY_OVER_EVERY = 24 * 60 * 60 * 1000
/** Longer than the longest window of any limit, so that no count is forgotten that still matters. In milliseconds. */
const FORGET_EVERY = 60 * 60 * 1000

/** What the jobs are made of. */
export type JobDeps = Pick<
  Deps,
  'config' | 'database' | 'clock' | 'log' | 'secrets' | 'files' | 'channels' | 'resolver' | 'providerEndpoints'
>

/*
 * Everything that happens by the clock. Not here, because it needs no clock: a key expires by being compared with the
 * time when it is used, and replies that were interrupted are marked when the service starts.
 */
export function jobsOf(
  deps: JobDeps,
  deliveries: Deliveries,
  notifications: Notifications,
  mailboxes: MailboxWatch,
  chatMailSender: ChatMailSender,
  vectors: Vectors,
  imports: Imports,
  replySending: ReplySending,
): Job[] {
  const { database, config, clock } = deps
  const { db } = database
  const { windowMs } = config.webhook
  const chainKey = chainKeyOf(deps.secrets)
  return [
    {
      name: 'wake snoozed tickets',
      nextDue: () => nextSnoozeEnd(db),
      run: async (now) => (await database.transaction((tx) => wakeSnoozedTickets(tx, now))) > 0,
    },
    {
      name: 'close forms whose time has come',
      nextDue: () => nextClosing(db),
      run: (now) => database.transaction((tx) => closeDueForms(tx, now)),
    },
    {
      name: 'send mails about responses',
      nextDue: () => notifications.nextDue(),
      run: (now) => notifications.start(now),
    },
    mailboxes,
    {
      name: 'send replies that nobody has taken back',
      nextDue: () => replySending.nextDue(),
      run: (now) => replySending.start(now),
    },
    {
      name: 'mail answers to visitors who left',
      nextDue: () => chatMailSender.nextDue(),
      run: (now) => chatMailSender.start(now),
    },
    {
      name: 'make vectors of articles',
      nextDue: () => vectors.nextDue(),
      run: (now) => vectors.start(now),
    },
    {
      name: 'take in files of contacts',
      nextDue: () => imports.nextDue(),
      run: (now) => imports.start(now),
    },
    throttled(clock, {
      name: 'give new events to webhooks',
      nextDue: async (now) => ((await hasNewEvents(db)) ? now : null),
      async run(now) {
        for (;;) {
          const left = await database.transaction((tx) => fanOutStep(tx, now, windowMs))
          if (left !== 'rest') return left === 'more'
        }
      },
    }),
    {
      name: 'close and send webhook batches',
      nextDue: () => nextBatchDue(db),
      run: () => deliveries.start(),
    },
    throttled(clock, {
      name: 'link entries of the audit log',
      nextDue: async (now) => ((await hasUnlinkedEntries(db)) ? now : null),
      run: () => database.transaction((tx) => linkEntries(tx, chainKey)),
    }),
    periodicallyByOneNode(clock, CARRY_OVER_EVERY, 'salt recovery codes of earlier versions', () =>
      saltRecoveryCodes(database),
    ),
    periodicallyByOneNode(clock, FORGET_EVERY, 'forget what was counted long ago', async () =>
      database.requestWindows?.forget(FORGET_EVERY),
    ),
    {
      name: 'keep this node’s presence alive',
      isOfEachNode: true,
      nextDue: async (now) => deliveries.heartbeat.nextDue(now),
      run: async () => {
        await deliveries.heartbeat.beat()
        return false
      },
    },
    infrequent(clock, {
      name: 'forget answers to idempotent requests',
      nextDue: () => nextIdempotencyKeyExpiry(db),
      run: (now) => database.transaction((tx) => expireIdempotencyKeys(tx, now)),
    }),
    infrequent(clock, {
      name: 'forget old webhook deliveries',
      nextDue: () => nextDeliveryExpiry(db),
      run: (now) => database.transaction((tx) => expireDeliveries(tx, now)),
    }),
    infrequent(clock, {
      name: 'forget sessions that have ended',
      nextDue: () => nextSessionExpiry(db),
      run: (now) => database.transaction((tx) => expireSessions(tx, now)),
    }),
    infrequent(clock, {
      name: 'forget links to choose a password',
      nextDue: () => nextLinkExpiry(db),
      run: (now) => database.transaction((tx) => expireLinks(tx, now)),
    }),
    infrequent(clock, {
      name: 'forget mails about accounts',
      nextDue: () => nextAccountMailExpiry(db),
      run: (now) => database.transaction((tx) => expireAccountMails(tx, now)),
    }),
    // Before the uploads, since it lets go of some.
    infrequent(clock, {
      name: 'remove partial responses that nobody goes on with',
      nextDue: () => nextPartialExpiry(db),
      run: (now) => database.transaction((tx) => removeUntouchedPartials(tx, now)),
    }),
    infrequent(clock, {
      name: 'forget mails about responses that could not be sent',
      nextDue: () => nextNotificationExpiry(db),
      run: (now) => database.transaction((tx) => expireNotifications(tx, now)),
    }),
    infrequent(clock, {
      name: 'remove uploads that no response uses',
      nextDue: () => nextUnusedUploadExpiry(db),
      run: () => removeUnusedUploads(deps),
    }),
    infrequent(clock, {
      name: 'forget mails with answers of chats',
      nextDue: () => nextChatMailExpiry(db),
      run: (now) => database.transaction((tx) => expireChatMails(tx, now)),
    }),
    infrequent(clock, {
      name: 'remove visitors who never wrote',
      nextDue: () => nextSilentVisitorExpiry(db),
      run: (now) => database.transaction((tx) => removeSilentVisitors(tx, now)),
    }),
    infrequent(clock, {
      name: 'let go of old raw mails',
      nextDue: () => nextRawMailExpiry(db),
      run: () => expireRawMails(deps),
    }),
    infrequent(clock, {
      name: 'forget files of contacts',
      nextDue: () => nextImportExpiry(db),
      run: () => expireImports(deps),
    }),
    periodically(clock, ORPHANS_EVERY, 'remove files that no record knows', () =>
      removeOrphans(
        deps,
        {
          uploads: findKnownUploads,
          attachments: findKnownAttachments,
          received_mails: findKnownRawMails,
          contact_imports: findKnownImports,
        },
        isTenant,
      ),
    ),
    periodicallyByOneNode(clock, ADD_SEGMENTS_EVERY, 'put responses into columns', () =>
      addSegments(database, clock.now()),
    ),
    // A node that serves the data alone has done this at its start: whatever is being sent now, it sends itself.
    ...(database.isShared
      ? [
          periodicallyByOneNode(clock, LOOK_EVERY, 'mark replies that a node was sending when it died', async () => {
            await failInterruptedReplies(database, clock.now())
          }),
        ]
      : []),
    periodically(clock, WATCH_EVERY, 'watch the database', databaseWatch(deps)),
    // After the batches above, which write out their events when they close.
    infrequent(clock, {
      name: 'forget old events',
      nextDue: () => nextEventExpiry(db),
      run: (now) => database.transaction((tx) => expireEvents(tx, now)),
    }),
  ]
}

export interface Jobs {
  /** Runs them from now on, as they become due. */
  start(): void
  /** Does everything that is due and resolves when that has happened, deliveries included. For tests. */
  runDue(): Promise<void>
  /** Starts nothing new; resolves when what is under way has ended, or was broken off after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/** The service's jobs, not yet running. */
export function createJobs(deps: JobDeps): Jobs {
  const deliveries = new Deliveries(deps)
  const notifications = new Notifications(deps)
  const mailboxes = new MailboxWatch(deps, letterboxOf(deps))
  const chatMailSender = new ChatMailSender(deps)
  const vectors = new Vectors(deps)
  const imports = new Imports(deps)
  const replySending = new ReplySending(deps)
  const jobs = jobsOf(deps, deliveries, notifications, mailboxes, chatMailSender, vectors, imports, replySending).map(
    (job) => byOneNode(deps.database, job),
  )
  const scheduler = new Scheduler(deps, jobs, {
    async begin() {
      await deliveries.begin()
      await notifications.pullIn()
      await chatMailSender.pullIn()
      await replySending.begin()
      await vectors.begin()
      await imports.begin()
    },
    async clockWentBack(by) {
      await deliveries.clockWentBack(by)
      await notifications.pullIn()
      await chatMailSender.pullIn()
      await replySending.pullIn()
      await vectors.pullIn()
      await imports.pullIn()
    },
  })
  return {
    start: () => scheduler.start(),
    async runDue() {
      while (await scheduler.look()) {
        while (await scheduler.look()) {}
        await Promise.all(
          [deliveries, notifications, chatMailSender, vectors, imports, replySending].map((work) => work.idle()),
        )
      }
    },
    async stop(graceMs) {
      await scheduler.stop()
      await Promise.all(
        [deliveries, notifications, mailboxes, chatMailSender, vectors, imports, replySending].map((work) =>
          work.stop(graceMs),
        ),
      )
    },
  }
}

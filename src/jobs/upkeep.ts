import { findKnownImages } from '../articles/images.ts'
import { findKnownRawMails } from '../channels/email/retention.ts'
import { findKnownImports } from '../contacts/imports/retention.ts'
import { ORPHANS_EVERY, removeOrphans } from '../installation/orphans.ts'
import { ADD_SEGMENTS_EVERY, addSegments } from '../responses/results/columns/adding.ts'
import { isTenant } from '../tenants/operations.ts'
import { findKnownAttachments } from '../tickets/attachments/operations.ts'
import { failInterruptedReplies, LOOK_EVERY } from '../tickets/replies/interrupted-replies.ts'
import { findKnownChatUploads } from '../uploads/of-chats.ts'
import { findKnownUploads } from '../uploads/operations.ts'
import { saltRecoveryCodes } from '../users/factors/recovery-codes.ts'
import { periodically, periodicallyByOneNode } from '../work/pace.ts'
import type { Job } from '../work/scheduler.ts'
import { databaseWatch, WATCH_EVERY } from './database-watch.ts'
import type { JobDeps, Workers } from './workers.ts'

/** Once at each start, and now and then where that is long ago, in milliseconds. */
const CARRY_OVER_EVERY = 24 * 60 * 60 * 1000
/** Longer than anything is counted for, in milliseconds. */
const FORGET_EVERY = 60 * 60 * 1000

/** What keeps the node and what it shares with others in order. */
export function upkeepJobs({ database, clock }: JobDeps, { deliveries }: Workers): Job[] {
  return [
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
  ]
}

/** Files that were stored for a record that was never written. */
export function orphanJob(deps: JobDeps): Job {
  return periodically(deps.clock, ORPHANS_EVERY, 'remove files that no record knows', () =>
    removeOrphans(
      deps,
      {
        uploads: findKnownUploads,
        attachments: async (db, tenantId, ids) =>
          (await findKnownAttachments(db, tenantId, ids)).union(await findKnownChatUploads(db, tenantId, ids)),
        received_mails: findKnownRawMails,
        contact_imports: findKnownImports,
        article_images: findKnownImages,
      },
      isTenant,
    ),
  )
}

/** Results are read from columns. */
export function columnJob({ database, clock }: JobDeps): Job {
  return periodicallyByOneNode(clock, ADD_SEGMENTS_EVERY, 'put responses into columns', () =>
    addSegments(database, clock.now()),
  )
}

/** Where this node alone serves the data, it has done so when it started, and what is being sent now is its own. */
export function interruptedReplyJobs({ database, clock }: JobDeps): Job[] {
  if (!database.isShared) return []
  return [
    periodicallyByOneNode(clock, LOOK_EVERY, 'mark replies that a node was sending when it died', async () => {
      await failInterruptedReplies(database, clock.now())
    }),
  ]
}

/** What is wrong with the database is noticed before a request meets it. */
export function watchJob(deps: JobDeps): Job {
  return periodically(deps.clock, WATCH_EVERY, 'watch the database', databaseWatch(deps))
}

import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../db/index.ts'
import { ofTenant } from '../../../db/index.ts'
import { mailboxes } from '../../../db/schema.ts'
import type { MailboxRow } from './sign-in.ts'

type Noted = Partial<
  Pick<MailboxRow, 'uidValidity' | 'lastUid' | 'oldestAt' | 'lastMailAt' | 'state' | 'problem' | 'detail' | 'since'>
>

/** Writes down how far a mailbox has got. Nothing where it was connected anew meanwhile. */
export async function note(database: Database, mailbox: MailboxRow, noted: Noted): Promise<void> {
  await database.transaction((tx) =>
    tx
      .update(mailboxes)
      .set(noted)
      .where(
        and(
          ofTenant(mailboxes, mailbox.tenantId),
          eq(mailboxes.inboxId, mailbox.inboxId),
          eq(mailboxes.revision, mailbox.revision),
        ),
      ),
  )
}

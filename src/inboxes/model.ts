import { type Static, Type } from '@sinclair/typebox'

import { email, nullable, oneOf, time, uuid } from '../http/requests/schemas.ts'
import { channels } from '../kinds/inboxes.ts'

/** decisions §4. */
export const Inbox = Type.Object(
  {
    id: uuid('Id of the inbox.'),
    name: Type.String({ examples: ['Support'] }),
    channel: oneOf(channels, 'How customers reach it.'),
    emailAddress: nullable(
      email({
        description: 'The address mail is answered from; null on other channels.',
        examples: ['help@acme.test'],
      }),
    ),
    createdAt: time('When the inbox was created.'),
    updatedAt: time('When the inbox last changed.'),
  },
  { title: 'Inbox' },
)
/** As the API shows it. */
export type ListedInbox = Static<typeof Inbox>

/** An inbox, as people who run it see it. */
export type Inbox = ListedInbox & {
  /** Since when nothing new begins here; null: it is in use. */
  readonly archivedAt: string | null
}

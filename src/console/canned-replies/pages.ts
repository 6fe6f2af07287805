import {
  addCannedReply,
  changeCannedReply,
  deleteCannedReply,
  getCannedReply,
  type ReplyOwner,
} from '../../tickets/writing/canned-replies.ts'
import { placeholders, unknownPlaceholder, written } from '../../tickets/writing/placeholders.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { Refusal, refuse } from '../refusal.ts'
import { redirectTo, type Visit } from '../visit.ts'
import { editPage, type Kind, newPage } from './edit.ts'
import { cannedRepliesPage } from './list.ts'
import { LIST, OWN, SHARED } from './paths.ts'

/** Texts that answers are made of: everybody writes their own, admins those for everybody. */
export function cannedReplyPages(add: Guard): void {
  add.page(LIST, {}, cannedRepliesPage)
  const kinds: readonly (Kind & { role: 'agent' | 'admin'; ownerOf(visit: Visit): ReplyOwner })[] = [
    { path: OWN, isShared: false, role: 'agent', ownerOf: ({ principal }) => principal.userId },
    { path: SHARED, isShared: true, role: 'admin', ownerOf: () => null },
  ]
  for (const kind of kinds) {
    const { path, role, ownerOf } = kind
    const read = (visit: Visit) =>
      getCannedReply(visit.db, visit.principal.tenantId, ownerOf(visit), visit.params.id as string)

    add.page(`${path}/new`, { role }, (visit) => newPage(visit, kind))
    add.action(path, { role, again: (visit, again) => newPage(visit, kind, again) }, async (visit, sent) => {
      const input = inputOf(visit, sent)
      await visit.change((tx, caller) => addCannedReply(tx, caller, ownerOf(visit), input))
      return redirectTo(LIST, visit.wording.say('cannedAdded'))
    })

    add.page(`${path}/:id`, { role }, async (visit) => editPage(visit, kind, await read(visit)))
    add.action(
      `${path}/:id`,
      { role, again: async (visit, again) => editPage(visit, kind, await read(visit), again) },
      async (visit, sent) => {
        const { say } = visit.wording
        const { id } = await read(visit)
        const input = inputOf(visit, sent)
        await visit.change(async (tx, caller) => {
          const before = await getCannedReply(tx, caller.tenantId, ownerOf(visit), id)
          if (sent.text('version') !== before.updatedAt)
            throw new Refusal({ field: null, text: say('cannedChanged') }, 409)
          await changeCannedReply(tx, caller, ownerOf(visit), id, input)
        })
        return redirectTo(LIST, say('cannedSaved'))
      },
    )

    add.action(`${path}/:id/delete`, { role }, async (visit) => {
      await visit.change((tx, caller) => deleteCannedReply(tx, caller, ownerOf(visit), visit.params.id as string))
      return redirectTo(LIST, visit.wording.say('cannedDeleted'))
    })
  }
}

/** What a form says. Refuses an unknown placeholder beside its field, in the reader's language. */
function inputOf({ wording }: Visit, sent: FormFields) {
  const input = { name: sent.text('name'), text: sent.text('text') }
  const unknown = unknownPlaceholder(input.text)
  if (unknown !== null) {
    const known = placeholders.map(written).join(', ')
    throw refuse(wording.say('cannedUnknown', { unknown, known }), 'text')
  }
  return input
}

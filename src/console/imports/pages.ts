import { cancelImport, getImport } from '../../contacts/imports/operations.ts'
import { dropFile } from '../../contacts/imports/retention.ts'
import { refusal, rule } from '../../errors.ts'
import { MAX_FILE_SIZE } from '../../kinds/contact-imports.ts'
import type { Guard } from '../guard.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { importsPage, upload } from './list.ts'
import { planPage, start } from './plan.ts'
import { progressPage, refusedFile } from './progress.ts'

const LIST = '/console/contacts/imports'
const ONE = `${LIST}/:id`
/** Room for the lines around the file in what a browser sends. */
const ENVELOPE = 16 * 1024

/** Contacts from files: agents work with contacts (decisions §14). */
export function importPages(add: Guard): void {
  add.page(LIST, {}, (visit) => importsPage(visit))
  add.action(LIST, { again: importsPage, limit: MAX_FILE_SIZE + ENVELOPE }, upload)
  add.page(ONE, {}, (visit) => importPage(visit))
  add.action(ONE, { again: importPage }, async (visit, sent) => {
    const found = await importOf(visit)
    if (found.state !== 'draft') throw refusal('conflict', rule('import_begun'))
    return start(visit, found, sent)
  })
  add.action(`${ONE}/cancel`, {}, async (visit) => {
    const { deps, principal, params, wording } = visit
    const id = params.id as string
    const before = await importOf(visit)
    const hasEnded = await visit.change((tx, caller) => cancelImport(tx, caller, id))
    if (hasEnded) await dropFile(deps.files, { tenantId: principal.tenantId, id })
    const isDiscarded = before.state === 'draft'
    return redirectTo(
      isDiscarded ? LIST : `${LIST}/${id}`,
      wording.say(hasEnded ? 'importWasCancelled' : 'importIsOver'),
    )
  })
  add.resource(`${ONE}/refused.csv`, {}, refusedFile)
}

const importOf = ({ db, principal, params }: Visit) => getImport(db, principal.tenantId, params.id as string)

async function importPage(visit: Visit, again?: Again): Promise<PageContent> {
  const found = await importOf(visit)
  return found.state === 'draft' ? planPage(visit, found, again) : progressPage(visit, found)
}

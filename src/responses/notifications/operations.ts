import { sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { preparedWrite, type Tx } from '../../db/index.ts'
import { notifications } from '../../db/schema.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'

const insert = preparedWrite((tx) =>
  tx
    .insert(notifications)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      responseId: sql.placeholder('responseId'),
      formId: sql.placeholder('formId'),
      address: sql.placeholder('address'),
      dueAt: sql.placeholder('at'),
      createdAt: sql.placeholder('at'),
    })
    .prepare(),
)

/** Plans a mail about a complete response to each address of its form (decisions §12), in the transaction of the change. */
export async function notify(tx: Tx, caller: Caller, form: FormRecord, responseId: string): Promise<void> {
  const { tenantId } = caller
  const at = formatTime(caller.at)
  for (const address of form.settings.notify) {
    await insert(tx).execute({ tenantId, id: newId(caller.at), responseId, formId: form.id, address, at })
  }
}

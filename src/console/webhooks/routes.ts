import type { Guard } from '../guard.ts'
import { bodyFile, deliveryPage, redeliverAction, retryAction } from './delivery.ts'
import { create, editPage, newPage, remove, save, setActive } from './edit.ts'
import { listPage } from './list.ts'
import { replayAction } from './replay.ts'
import { testAction } from './test.ts'
import { webhookPage } from './webhook.ts'

const role = 'admin'
const webhook = '/console/webhooks/:webhookId'
const delivery = `${webhook}/deliveries/:batchId`

/** Webhooks and what they sent: for admins alone (decisions §14). */
export function webhookPages(add: Guard): void {
  add.page('/console/webhooks', { role }, listPage)
  add.page('/console/webhooks/new', { role }, (visit) => newPage(visit))
  add.action('/console/webhooks', { role, again: newPage }, create)

  add.page(webhook, { role }, webhookPage)
  add.page(`${webhook}/edit`, { role }, (visit) => editPage(visit))
  add.action(`${webhook}/edit`, { role, again: editPage }, save)
  add.action(`${webhook}/pause`, { role }, (visit) => setActive(visit, false))
  add.action(`${webhook}/resume`, { role }, (visit) => setActive(visit, true))
  add.action(`${webhook}/delete`, { role }, remove)
  add.action(`${webhook}/replay`, { role, again: webhookPage }, replayAction)
  add.action(`${webhook}/test`, { role, again: webhookPage }, testAction)

  add.page(delivery, { role }, (visit) => deliveryPage(visit))
  add.action(`${delivery}/redeliver`, { role, again: deliveryPage }, redeliverAction)
  add.action(`${delivery}/retry`, { role, again: deliveryPage }, retryAction)
  add.resource(`${delivery}/body`, { role }, bodyFile)
}

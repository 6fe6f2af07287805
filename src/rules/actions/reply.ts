import { and, eq, gt } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { ruleReplies } from '../../db/schema.ts'
import { RuleError } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'
import { sendForm } from '../../satisfaction/asking.ts'
import { type AutomaticText, queueAutomaticReply } from '../../tickets/automatic/replying.ts'
import type { ActionOf } from '../model.ts'
import { fill, type Values } from '../texts.ts'
import { type Acting, NotNeeded } from './acting.ts'
import { cannedText } from './parse.ts'

/** Within which a ticket is answered by a rule once, in milliseconds (decisions §17). */
const ONCE_IN = 24 * 60 * 60 * 1000

/** Answers the customer, once a ticket and rule in 24 hours: never what a program sent, nor spam. */
export async function giveReply(acting: Acting, action: ActionOf<'reply'>, values: Values): Promise<void> {
  const { tx, caller, rule, about, deps } = acting
  const { tenantId, at } = caller
  const lately = and(
    ofTenant(ruleReplies, tenantId),
    eq(ruleReplies.ticketId, about.id),
    eq(ruleReplies.ruleId, rule.id),
    eq(ruleReplies.isForm, false),
    gt(ruleReplies.at, formatTime(at - ONCE_IN)),
  )
  const given = await tx.select({ messageId: ruleReplies.messageId }).from(ruleReplies).where(lately).limit(1)
  if (given.length > 0) throw new NotNeeded('this rule has answered the ticket within 24 hours')
  const content = await textOf(tx, caller, action, values)
  const reply = await queueAutomaticReply(tx, caller, deps.channels, {
    ticketId: about.id,
    messageId: about.messageId,
    ...content,
  })
  if ('refusedAs' in reply) throw new NotNeeded(reply.refusedAs)
  await keep(acting, reply.messageId, false)
}

/** Sends the customer a form, once a ticket: not spam, nor what a program wrote. */
export async function sendFormTo(acting: Acting, { form }: ActionOf<'send_form'>): Promise<void> {
  const { tx, caller, about, deps } = acting
  const messageId = await sendForm(tx, caller, deps, about.id, form).catch((error) => {
    const isNotNeeded = error instanceof RuleError && (error.code === 'conflict' || error.code === 'unprocessable')
    throw isNotNeeded ? new NotNeeded(error.message) : error
  })
  await keep(acting, messageId, true)
}

async function keep({ tx, caller, rule, about }: Acting, messageId: string, isForm: boolean): Promise<void> {
  const { tenantId, at, depth = 1 } = caller
  const kept = { tenantId, messageId, ruleId: rule.id, ticketId: about.id, depth, isForm }
  await tx.insert(ruleReplies).values({ ...kept, at: formatTime(at) })
}

async function textOf(
  tx: Tx,
  { tenantId }: Caller,
  { html, canned }: ActionOf<'reply'>,
  values: Values,
): Promise<AutomaticText> {
  if (html !== undefined) return { html: fill(html, values, Bun.escapeHTML) }
  return { text: fill(await cannedText(tx, tenantId, canned ?? '', 'reply.canned'), values) }
}

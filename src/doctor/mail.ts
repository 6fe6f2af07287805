import { connect } from 'node:net'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { houseHost, tryHouse } from '../channels/email/house-trial.ts'
import { readCertificate } from '../channels/email/listener/certificate.ts'
import { MailboxError } from '../channels/email/mailboxes/problems.ts'
import { mailerBy } from '../channels/email/mailer.ts'
import { systemAddress } from '../channels/email/system/naming.ts'
import { houseTransport } from '../channels/email/transports.ts'
import { addressHere, type Config } from '../config.ts'
import type { Inspection } from '../db/inspection.ts'
import { inboxes, mailboxes } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { domainOf } from '../lib/input/email.ts'
import { DeliveryError } from '../ports/channel.ts'
import { codeOf, PATIENCE } from './asking.ts'
import { type Diagnosis, diagnosing } from './diagnosis.ts'
import type { MailDomain } from './domains.ts'

const SENDING = 'outgoing mail'

/** Whether the mail server of FRONTDESK_SMTP_URL lets us in. */
export async function checkSending({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Promise<Diagnosis> {
  const { good, warn, bad } = diagnosing(SENDING)
  if (smtpUrl === null) {
    return warn(
      `no mail leaves: it becomes files in ${dataDir}/outbox, but for inboxes with a mailbox`,
      'set FRONTDESK_SMTP_URL',
    )
  }
  const host = houseHost(smtpUrl)
  try {
    const { isSecure } = await tryHouse(smtpUrl)
    if (isSecure) return good(`${host} lets us in`)
    return warn(`${host} offers no TLS: mails, and the password, can be read on the way`, 'use a server that offers it')
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error
    const said = error.detail === null ? '' : ` (${error.detail})`
    return bad(`${host}: ${error.message}${said}`, 'correct FRONTDESK_SMTP_URL')
  }
}

/** Sends a mail to somebody who then looks at how it arrived. */
export async function sendTestMail(
  config: Config,
  to: string,
  installationId: string,
  now: number,
): Promise<Diagnosis> {
  const { good, bad } = diagnosing('test mail')
  const from = systemAddress(config)
  const id = crypto.randomUUID()
  const text =
    'frontdesk doctor sent this mail. It has arrived; now see what your mail program says of its source: spf, dkim and dmarc should each be "pass".'
  try {
    const unreached = await mailerBy(houseTransport(config)).send({
      id,
      from: { name: 'frontdesk', address: from },
      to: { name: '', address: to },
      subject: 'A test mail of frontdesk',
      text,
      html: `<p>${text}</p>`,
      installationId,
      messageId: `<doctor.${id}@${domainOf(from)}>`,
      references: [],
      at: now,
      automatic: 'generated',
    })
    const [refused] = unreached
    if (refused) return bad(`${to} was refused: ${refused.why}`, 'see what the server wants')
    return config.smtpUrl === null
      ? bad(`it became the file ${config.dataDir}/outbox/${id}.eml`, 'set FRONTDESK_SMTP_URL')
      : good(`sent from ${from} to ${to}: look whether it arrives, with spf, dkim and dmarc passed`)
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    return bad(error.message, 'see what the server wants of FRONTDESK_SMTP_URL and FRONTDESK_SYSTEM_FROM')
  }
}

/** Whether the mail listener answers, and what it offers STARTTLS with. */
export async function checkListener({ inboundSmtp }: Pick<Config, 'inboundSmtp'>): Promise<Diagnosis[]> {
  if (inboundSmtp === null) return []
  const { good, warn, bad } = diagnosing('incoming mail')
  const { host, port, tls } = inboundSmtp
  try {
    if (tls) readCertificate(tls)
    const greeting = await greetingOf(host, port)
    if (!greeting.startsWith('220')) return [bad(`something else answers on port ${port}`, 'see who listens there')]
    return [
      tls
        ? good(`taken on port ${port}, with STARTTLS`)
        : warn(`taken on port ${port}, in clear`, 'set FRONTDESK_INBOUND_SMTP_TLS_CERT and _TLS_KEY'),
    ]
  } catch (error) {
    if (error instanceof UserError) return [bad(error.message, 'without it the service does not start')]
    return [bad(`nobody takes mail on ${host}:${port} (${codeOf(error)})`, 'start the service')]
  }
}

/** The first words of a mail server. */
async function greetingOf(host: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, addressHere(host))
  socket.setTimeout(PATIENCE, () => reject(new Error('no answer in time')))
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the connection was closed')))
  socket.once('data', (words) => resolve(words.toString('latin1')))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}

/** The domains of our mails: of the inboxes' addresses, and of the address that mails about accounts are from. */
export async function mailDomains(database: Inspection | null, config: Config): Promise<MailDomain[]> {
  const house = config.smtpUrl === null ? null : houseHost(config.smtpUrl)
  const domains = new Map<string, MailDomain>()
  for (const { address, server } of database ? await inboxAddresses(database) : []) {
    const domain = domainOf(address)
    domains.set(domain, { domain, receives: true, server: domains.get(domain)?.server ?? server ?? house })
  }
  const own = domainOf(systemAddress(config))
  if (!domains.has(own) && own !== 'localhost') domains.set(own, { domain: own, receives: false, server: house })
  return [...domains.values()]
}

async function inboxAddresses(database: Inspection): Promise<{ address: string; server: string | null }[]> {
  const { db } = database
  // An earlier version's, which was not started with this one yet.
  if (!(await database.keepsMailboxes())) return []
  return db
    .select({ address: sql<string>`${inboxes.emailAddress}`, smtp: mailboxes.smtp })
    .from(inboxes)
    .leftJoin(mailboxes, and(eq(mailboxes.tenantId, inboxes.tenantId), eq(mailboxes.inboxId, inboxes.id)))
    .where(and(isNotNull(inboxes.emailAddress), isNull(inboxes.archivedAt)))
    .then((rows) => rows.map(({ address, smtp }) => ({ address, server: smtp?.host ?? null })))
}

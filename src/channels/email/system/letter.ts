import type { Deps } from '../../../deps.ts'
import { installationId } from '../../../installation/id.ts'
import { oneLine } from '../../../lib/text/one-line.ts'
import type { OutgoingMail } from '../mailer.ts'
import { type SystemMailName, systemAddress, systemHeaders } from './naming.ts'

/** What a mail of ours says, and to whom. */
export interface SystemLetter {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** By what the reader knows us. */
  readonly fromName: string
  readonly to: { readonly name: string | null; readonly email: string }
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A letter as the mail that it becomes: from the address that nobody reads, known by its Message-ID as one of ours. */
export async function systemMail(
  { config, database, secrets }: Pick<Deps, 'config' | 'database' | 'secrets'>,
  name: SystemMailName,
  { fromName, to, ...said }: SystemLetter,
): Promise<OutgoingMail> {
  const sender = systemAddress(config)
  return {
    ...said,
    id: name.id,
    from: { name: oneLine(fromName), address: sender },
    // Somebody without a name is called by their address, which stands there already.
    to: { name: to.name === null || to.name === to.email ? '' : oneLine(to.name), address: to.email },
    references: [],
    installationId: await installationId(database),
    ...systemHeaders(secrets, name, sender),
  }
}

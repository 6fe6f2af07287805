import type { Command } from 'commander'
import { catalogueCommands } from './catalogue.ts'
import { calendarCommands } from './channels/calendars.ts'
import { inboxCommands } from './channels/inboxes.ts'
import { mailCommands } from './channels/mail.ts'
import { sourceCommands } from './channels/sources.ts'
import { backupCommands } from './data/backup.ts'
import { checkCommand } from './data/check.ts'
import { copyCommand } from './data/copy.ts'
import { doctorCommand } from './data/doctor.ts'
import { healthCommand } from './data/health.ts'
import { upgradeCommand } from './data/upgrade.ts'
import { demoCommand } from './demo.ts'
import { formCommands } from './forms/forms.ts'
import { keyCommands } from './keys.ts'
import { leavingCommands } from './leaving.ts'
import { licencesCommand } from './licences/licences.ts'
import { listCommands } from './lists.ts'
import { openApiCommand } from './openapi.ts'
import { reportCommands } from './reports.ts'
import { retentionCommands } from './retention.ts'
import { ruleCommands } from './rules.ts'
import { serveCommands } from './serve.ts'
import { tenantCommands } from './tenants.ts'
import { promiseCommands } from './tickets/promises.ts'
import { ticketReplyCommands } from './tickets/replies.ts'
import { tagCommands } from './tickets/tags.ts'
import { teamCommands } from './tickets/teams.ts'
import { ticketCommands } from './tickets/tickets.ts'
import { ticketWorkCommands } from './tickets/work.ts'

/** Every command there is, as the help lists them. */
export const commands: readonly ((root: Command) => void)[] = [
  serveCommands,
  demoCommand,
  tenantCommands,
  leavingCommands,
  keyCommands,
  catalogueCommands,
  sourceCommands,
  ticketCommands,
  ticketReplyCommands,
  ticketWorkCommands,
  tagCommands,
  reportCommands,
  teamCommands,
  ruleCommands,
  promiseCommands,
  mailCommands,
  formCommands,
  inboxCommands,
  calendarCommands,
  listCommands,
  backupCommands,
  checkCommand,
  doctorCommand,
  healthCommand,
  retentionCommands,
  upgradeCommand,
  copyCommand,
  openApiCommand,
  licencesCommand,
]
